import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { readBoundedFile } from "../../src/fs/bounded-file.ts";
import { tempDir } from "../support/temp.ts";

test("T10 only a regular file that is small enough is read, or a link to one", async () => {
  using dir = tempDir({ "a.toml": "a = 1\n" });
  symlinkSync("a.toml", dir.join("link"));
  for (const name of ["a.toml", "link"])
    expect((await readBoundedFile(dir.join(name), 6)).toString()).toBe("a = 1\n");
  symlinkSync("/dev/zero", dir.join("endless"));
  symlinkSync("/dev/null", dir.join("device"));
  execFileSync("mkfifo", [dir.join("pipe")]);
  for (const name of ["endless", "device", "pipe", "."])
    await expect(readBoundedFile(dir.join(name), 6)).rejects.toMatchObject({
      code: "E_FILE",
      message: expect.stringContaining("is no regular file"),
    });
  writeFileSync(dir.join("large"), "1234567");
  await expect(readBoundedFile(dir.join("large"), 6)).rejects.toMatchObject({ code: "E_FILE" });
  await expect(readBoundedFile(dir.join("none"), 6)).rejects.toMatchObject({ code: "ENOENT" });
});
