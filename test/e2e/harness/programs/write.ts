import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a configuration as a user has it: text, or an object as JSON. */
export function writeConfig(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
}
