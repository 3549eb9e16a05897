import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { waitFor } from "../support/wait.ts";

/** Runs a writer, kills it at a random moment after it has begun, and returns what it had acknowledged, by lines. */
export async function killedRun(writer: string, target: string, log: string): Promise<string[][]> {
  const child = Bun.spawn([process.execPath, writer, target], {
    stdin: "ignore",
    stdout: Bun.file(log),
    stderr: "inherit",
  });
  const size = () => Bun.file(log).size;
  await waitFor("the writer's first line", () => size() > 0 || child.exitCode !== null);
  const enough = size() + Math.random() * 1500;
  await waitFor("more lines", () => size() > enough || child.exitCode !== null);
  child.kill("SIGKILL");
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL"); // it was still at work
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => line.split(" "));
}
