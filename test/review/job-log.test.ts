import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { jobLogPath, openJobLog } from "../../src/review/job-log.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A log whose file is at first not to be had, and what was told of that. */
function scene(retryMs = 5) {
  const dir = tempDir();
  const directory = dir.join("logs");
  const errors: unknown[] = [];
  return {
    directory,
    errors,
    path: jobLogPath(directory, 7),
    open: () => openJobLog(directory, 7, { onError: (error) => errors.push(error), retryMs }),
    text: () => readFileSync(jobLogPath(directory, 7), "utf8"),
    /** Puts something in the place of the log directory, or takes it away. */
    block: () => symlinkSync("/dev/null", directory),
    unblock: () => rmSync(directory),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

test("a run's log begins anew, holds everything in order, and only its owner reads it", async () => {
  using s = scene();
  const first = s.open();
  first.write(bytes("of the first run\n"));
  await first.close();
  const log = s.open();
  for (let n = 0; n < 1000; n++) log.write(bytes(`${n}\n`));
  await waitFor("the last line, before the end", () => s.text().endsWith("\n999\n"));
  await log.close();
  expect(s.text()).toBe(Array.from({ length: 1000 }, (_, n) => `${n}\n`).join(""));
  expect([statSync(s.path).mode & 0o777, statSync(s.directory).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(s.errors).toEqual([]);
  const again = s.open();
  again.write(bytes("of a run that begins anew"));
  await again.drop();
  expect(() => s.text()).toThrow("ENOENT");
  await again.drop();
});

test("D13 a log that cannot be written is told once and harms nothing", async () => {
  using s = scene();
  s.block();
  const log = s.open();
  log.write(bytes("x"));
  await waitFor("the failure", () => s.errors.length > 0);
  log.write(bytes("y"));
  await log.close();
  expect(s.errors).toHaveLength(1);
});

test("D13 it goes on when it can be written again, by itself, and lacks nothing that could be kept", async () => {
  using s = scene();
  s.block();
  const log = s.open();
  log.write(bytes("one\n"));
  await waitFor("the failure", () => s.errors.length > 0);
  log.write(bytes("two\n"));
  s.unblock();
  await waitFor("the next try", () => {
    try {
      return s.text() === "one\ntwo\n";
    } catch {
      return false;
    }
  });
  log.write(bytes("three\n"));
  await log.close();
  expect(s.text()).toBe("one\ntwo\nthree\n");
  expect(s.errors).toHaveLength(1);
});

test("D13 of more it keeps the newest, and says how much is missing where it is missing", async () => {
  using s = scene(60_000);
  mkdirSync(s.directory, { mode: 0o700 });
  symlinkSync("/dev/full", s.path);
  const log = s.open();
  log.write(bytes("lost\n"));
  await waitFor("the failure", () => s.errors.length === 1);
  for (let n = 0; n < 600; n++) log.write(new Uint8Array(1024).fill(0x78));
  rmSync(s.path);
  await log.close();
  const text = s.text();
  const dropped = 5 + 600 * 1024 - 256 * 1024;
  expect(text).toStartWith(`\n[roborev dropped ${dropped} bytes of output that could not be written]\nxxx`);
  expect(text.match(/x/g)).toHaveLength(256 * 1024);
});
