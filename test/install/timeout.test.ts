import { expect, test } from "bun:test";
import { parseTimeout } from "../../src/install/timeout.ts";
import { UsageError } from "../../src/lib/errors.ts";

test.each([
  ["10", 10_000],
  ["0", 0],
  ["-5", -5_000],
  ["10s", 10_000],
  ["1m30s", 90_000],
  ["0s", 0],
  ["1000ms", 1_000],
])("--timeout %s is %d ms", (text, ms) => expect(parseTimeout(text)).toBe(ms));

test.each(["1500ms", "1.5s", "1us"])("--timeout %s is refused: no whole number of seconds", (text) => {
  expect(() => parseTimeout(text)).toThrow(`timeout must be a whole number of seconds, got ${text}`);
});

test.each(["", "ten", "1.5", "10x", "99999999999999999999"])("--timeout %j is a usage error", (text) => {
  expect(() => parseTimeout(text)).toThrow(UsageError);
});
