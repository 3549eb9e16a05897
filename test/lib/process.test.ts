import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { askProcess, runProcess } from "../../src/lib/process.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const sh = (script: string) => ["/bin/sh", "-c", script];
const isWhole = (text: string) => text.includes("answer");

test("a program that answers while its standard input is open is heard and then ended", async () => {
  using dir = tempDir();
  const script = `echo $$ >'${dir.join("pid")}'; read line; echo "answer to $line"; cat`;
  expect(await askProcess(sh(script), "me\n", isWhole, { timeoutMs: 5_000 })).toBe("answer to me\n");
  const pid = Number(readFileSync(dir.join("pid"), "utf8"));
  await waitFor("the program to be gone", () => !existsSync(`/proc/${pid}`));
});

test("a program that says too little, nothing, too much or does not listen is no answer", async () => {
  const ask = (script: string, timeoutMs = 5_000) =>
    askProcess(sh(script), "me\n", isWhole, { timeoutMs, maxBytes: 1_000 });
  expect(await ask("echo something else")).toBeUndefined();
  expect(await ask("exec <&-; exit 3")).toBeUndefined();
  expect(await ask("cat >/dev/null", 100)).toBeUndefined();
  expect(await ask("trap '' TERM; while :; do echo 0123456789; done")).toBeUndefined();
});

test("output that was cut is told as cut, wherever the limit falls between two reads", async () => {
  using dir = tempDir();
  await Bun.write(dir.join("full"), "x".repeat(200_000));
  for (const maxBytes of [1, 65_535, 65_536, 65_537, 131_072, 199_999, 200_000, 200_001]) {
    const { stdout, truncated } = await runProcess(["cat", dir.join("full")], { maxBytes });
    expect([stdout.length, truncated]).toEqual([Math.min(maxBytes, 200_000), maxBytes < 200_000]);
  }
});
