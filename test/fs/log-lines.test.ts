import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { LogLines } from "../../src/fs/log-lines.ts";
import { tempDir } from "../support/temp.ts";

async function read(lines: LogLines): Promise<string> {
  let text = "";
  for await (const bytes of lines.next()) text += new TextDecoder().decode(bytes);
  return text;
}

test("a log is read line by line while it is written, and from its start when it begins anew", async () => {
  using dir = tempDir();
  const path = dir.join("1.log");
  const lines = new LogLines(path);
  expect([await read(lines), lines.run]).toEqual(["", 0]);
  writeFileSync(path, "one\ntw");
  expect([await read(lines), lines.run]).toEqual(["one\n", 1]);
  appendFileSync(path, "o\nthree");
  expect(await read(lines)).toBe("two\n");
  expect(new TextDecoder().decode(lines.rest())).toBe("three");
  writeFileSync(path, "new\n");
  expect([await read(lines), lines.run, lines.rest().length]).toEqual(["new\n", 2, 0]);
});

test("of a long log only the last whole lines are read, where that is asked for", async () => {
  using dir = tempDir({ "1.log": `${"x".repeat(200_000)}\nfirst\nlast\n`, "2.log": "first\nlast\n" });
  const tail = new LogLines(dir.join("1.log"), { tailBytes: 150_000 });
  expect([await read(tail), tail.isTail]).toEqual(["first\nlast\n", true]);
  appendFileSync(dir.join("1.log"), "more\n");
  expect(await read(tail)).toBe("more\n");
  const whole = new LogLines(dir.join("2.log"), { tailBytes: 150_000 });
  expect([await read(whole), whole.isTail]).toEqual(["first\nlast\n", false]);
});

test("a line without end comes in pieces where it must not fill the memory, and no byte of it is lost", async () => {
  const text = `a\n${"x".repeat(500_000)}\nb\nc`;
  using dir = tempDir({ "1.log": text });
  const lines = new LogLines(dir.join("1.log"), { maxLineBytes: 100_000 });
  expect(`${await read(lines)}${new TextDecoder().decode(lines.rest())}`).toBe(text);
  const pieces: number[] = [];
  for await (const bytes of new LogLines(dir.join("1.log"), { maxLineBytes: 100_000 }).next())
    pieces.push(bytes.length);
  expect(Math.max(...pieces)).toBeLessThan(200_000);
});

test("T5 a link, a pipe or a directory in the place of a log is refused with its path", async () => {
  using dir = tempDir({ secret: "secret\n" });
  const path = dir.join("1.log");
  for (const [put, reason] of [
    [() => symlinkSync(dir.join("secret"), path), "symbolic link"],
    [() => mkdirSync(path), "no regular file"],
    [() => Bun.spawnSync(["mkfifo", path]), "no regular file"],
  ] as const) {
    put();
    const failed = await read(new LogLines(path)).catch((error: Error) => error.message);
    expect(failed).toContain(`cannot read ${path}: `);
    expect(failed).toContain(reason);
    rmSync(path, { recursive: true });
  }
});
