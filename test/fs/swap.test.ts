import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { swapFile } from "../../src/fs/swap.ts";
import { tempDir } from "../support/temp.ts";

const read = (path: string) => readFileSync(path, "utf8");

test("the new file is in the place of the old one, which is kept, also over one of an earlier time", async () => {
  using dir = tempDir({ program: "old", staged: "new", "program.before-update": "older" });
  const before = statSync(dir.join("program")).ino;
  await swapFile(dir.join("program"), dir.join("staged"));
  expect([read(dir.join("program")), read(dir.join("program.before-update"))]).toEqual(["new", "old"]);
  expect(statSync(dir.join("program.before-update")).ino).toBe(before); // whoever runs it goes on running it
  expect(readdirSync(dir.path).sort()).toEqual(["program", "program.before-update"]);
});

test("where there is nothing to put in its place the old file stays", async () => {
  using dir = tempDir({ program: "old" });
  await expect(swapFile(dir.join("program"), dir.join("staged"))).rejects.toThrow("cannot replace");
  expect(read(dir.join("program"))).toBe("old");
});
