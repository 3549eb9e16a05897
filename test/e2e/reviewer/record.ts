import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Trap } from "./trap.ts";

/** Keeps what a program printed, without this machine's paths. Lines that are no events are not of interest. */
export function record(directory: string, name: string, output: string, trap: Trap): void {
  mkdirSync(directory, { recursive: true });
  const root = join(trap.home, "..");
  const slug = root.replace(/[^A-Za-z0-9]/g, "-");
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const text = lines.join("\n").replaceAll(root, "/trap").replaceAll(slug, "-trap");
  writeFileSync(join(directory, `${name}.jsonl`), `${text}\n`);
}
