import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { askProcess } from "../../src/lib/process.ts";
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
