import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../arch/source.ts";

test.each([
  ["--target=plan9", "unknown target plan9; known: linux-x64, linux-x64-baseline,"],
  ["--target=toString", "unknown target toString"],
  ["--target=linux-x64,all", "unknown target all"],
  ["--frobnicate", "unknown argument --frobnicate"],
])("the build refuses %s before it compiles anything", (argument, message) => {
  const run = Bun.spawnSync([process.execPath, join(root, "build.ts"), argument], { stderr: "pipe" });
  expect(run.exitCode).toBe(1);
  expect(run.stdout.toString()).toBe("");
  expect(run.stderr.toString()).toStartWith(`build failed: ${message}`);
});
