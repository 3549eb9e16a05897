import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { JournalFile } from "../../../src/store/hook-state/journal-file.ts";
import { tempDir } from "../../support/temp.ts";

test("lines are appended in order, whether the disk is busy or not, and counted in bytes", async () => {
  using dir = tempDir();
  const journal = new JournalFile(dir.join("journal"));
  await journal.restart("head\n");
  await journal.append("ä\n");
  await journal.append("two\n", true);
  await journal.append("three\n");
  expect(readFileSync(dir.join("journal"), "utf8")).toBe("head\nä\ntwo\nthree\n");
  expect(journal.bytes).toBe(5 + 3 + 4 + 6);
  await journal.close();
});

test("when it cannot be replaced, the old file goes on where it ended", async () => {
  using dir = tempDir();
  mkdirSync(dir.join("state"));
  const journal = new JournalFile(dir.join("state/journal"));
  await journal.restart("head\n");
  await journal.append("one\n");
  renameSync(dir.join("state"), dir.join("away"));
  await expect(journal.restart("new head\n")).rejects.toMatchObject({ code: "E_WRITE" });
  await expect(journal.append("lost\n")).rejects.toMatchObject({ code: "E_WRITE" });
  renameSync(dir.join("away"), dir.join("state"));
  await journal.append("two\n");
  expect(readFileSync(dir.join("state/journal"), "utf8")).toBe("head\none\ntwo\n");
  await journal.close();
});

test("97 a journal that cannot be opened says which and why, and works again when it can", async () => {
  using dir = tempDir();
  mkdirSync(dir.join("journal"));
  const journal = new JournalFile(dir.join("journal"));
  await expect(journal.append("one\n")).rejects.toThrow(`cannot write ${dir.join("journal")}: `);
  rmdirSync(dir.join("journal"));
  await journal.append("one\n");
  expect(readFileSync(dir.join("journal"), "utf8")).toBe("one\n");
  await journal.close();
});

test.each(["quick", "busy"])("97 a line that the (%s) disk takes half of leaves nothing behind", (disk) => {
  using dir = tempDir();
  const path = dir.join("journal");
  const script = join(import.meta.dir, "limited-journal.ts");
  // 16 blocks of 512 bytes; beyond them a write fails instead of ending the process.
  const limited = "trap '' XFSZ; ulimit -f 16; exec \"$@\"";
  const run = Bun.spawnSync(["/bin/sh", "-c", limited, "sh", process.execPath, script, path, disk]);
  expect(run.stderr.toString()).toBe("");
  expect(JSON.parse(run.stdout.toString())).toEqual([
    "written",
    `cannot write ${path}: file too large`,
    "written",
  ]);
  expect(readFileSync(path, "utf8")).toBe(`head\n${"a".repeat(3000)}\ntwo\n`);
});

test("97 half a line that cannot be taken back at once is gone before the next one is written", async () => {
  using dir = tempDir();
  const journal = new JournalFile(dir.join("journal"));
  await journal.restart("head\n");
  const handle = Reflect.get(journal, "handle") as FileHandle;
  const fail = () => Promise.reject(new Error("EIO"));
  const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(handle, {
    truncate: fail,
    write: (bytes: Uint8Array, from: number, length: number, at: number) =>
      write(bytes, from, length / 2, at).then(fail),
  });
  await expect(journal.append("lost, and so long\n", true)).rejects.toThrow("EIO");
  expect(readFileSync(dir.join("journal"), "utf8")).toBe("head\nlost, and");
  await journal.append("two\n", true);
  expect(readFileSync(dir.join("journal"), "utf8")).toBe("head\ntwo\n");
  await journal.close();
});
