import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmdirSync } from "node:fs";
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
