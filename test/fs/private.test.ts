import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { ensureDataDirectory, ensurePrivateDirectory } from "../../src/fs/private.ts";
import { tempDir } from "../support/temp.ts";

const modeOf = (path: string) => statSync(path).mode & 0o7777;

test("a data directory is made for us alone, with its parents", async () => {
  using dir = tempDir();
  await ensureDataDirectory(dir.join("a/b"));
  expect([modeOf(dir.join("a")), modeOf(dir.join("a/b"))]).toEqual([0o700, 0o700]);
});

test("one that is empty, or ours already, is narrowed", async () => {
  using dir = tempDir({ "ours/config.toml": "" });
  mkdirSync(dir.join("empty"));
  for (const name of ["empty", "ours"]) {
    chmodSync(dir.join(name), 0o755);
    await ensureDataDirectory(dir.join(name));
    expect(modeOf(dir.join(name))).toBe(0o700);
  }
});

test.each([
  ["a shared place like /tmp, even with a file named as ours", 0o1777, "config.toml"],
  ["a place that all can write to", 0o777, "config.toml"],
  ["a home directory", 0o755, ".bashrc"],
])("%s is refused as data directory, and stays as open as it was", async (_, mode, file) => {
  using dir = tempDir({ [`place/${file}`]: "" });
  chmodSync(dir.join("place"), mode);
  await expect(ensureDataDirectory(dir.join("place"))).rejects.toMatchObject({
    code: "E_PRIVATE",
    message: `${dir.join("place")} is open to other users and holds files that are not roborev's`,
    hint: "Point ROBOREV_DATA_DIR at a directory of its own, or close this one with chmod 700.",
  });
  expect(modeOf(dir.join("place"))).toBe(mode);
});

test("a closed directory is accepted whatever it holds", async () => {
  using dir = tempDir({ "place/.bashrc": "" });
  chmodSync(dir.join("place"), 0o700);
  await ensureDataDirectory(dir.join("place"));
});

test("T5 a link or a file where a directory of ours should be is refused by name", async () => {
  using dir = tempDir({ file: "" });
  symlinkSync("/tmp", dir.join("link"));
  await expect(ensurePrivateDirectory(dir.join("link"))).rejects.toThrow("link is not a directory");
  await expect(ensurePrivateDirectory(dir.join("file"))).rejects.toThrow("file is not a directory");
});
