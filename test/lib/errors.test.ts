import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, unlinkSync } from "node:fs";
import { errorMessage, failureReason } from "../../src/lib/errors.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("an error of the system is told in words: what, where, why", () => {
  const missing = thrownBy(() => readFileSync("/no such/file"));
  expect(errorMessage(missing)).toBe("cannot open /no such/file: no such file or directory");
  expect(failureReason(missing)).toBe("no such file or directory");
  expect(errorMessage(thrownBy(() => mkdirSync("/dev/null/x")))).toBe(
    "cannot create /dev/null/x: not a directory",
  );
  expect(errorMessage(thrownBy(() => unlinkSync("/no such/file")))).toStartWith(
    "cannot remove /no such/file: ",
  );
});

test("every other error says what it said, on one line", () => {
  expect(errorMessage(new Error(" a\n b "))).toBe("a b");
  expect(errorMessage("text")).toBe("text");
  expect(errorMessage(new Error("EROFS: read-only, open '/x'"))).toBe("EROFS: read-only, open '/x'");
  expect(failureReason(new Error("plain"))).toBe("plain");
});
