import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatGoDuration, parseGoDuration } from "../../src/lib/duration.ts";
import { UsageError } from "../../src/lib/errors.ts";

describe("parseGoDuration", () => {
  test.each([
    ["0", 0],
    ["+0", 0],
    ["10s", 10_000],
    ["-5s", -5_000],
    ["1m30s", 90_000],
    ["1h30m", 5_400_000],
    ["8h", 28_800_000],
    ["1.5s", 1_500],
    [".5s", 500],
    ["1.s", 1_000],
    ["250ms", 250],
    ["1us", 0.001],
    ["1\u00b5s", 0.001],
    ["1\u03bcs", 0.001],
    ["100ns", 0.0001],
    ["1h1h", 7_200_000],
  ])("%s is %d ms", (text, ms) => expect(parseGoDuration(text)).toBe(ms));

  test.each([
    "",
    "-",
    "5",
    "s",
    "1 s",
    " 1s",
    "1d",
    "1h 30m",
    "1s2",
    "--1s",
    ".s",
    "1S",
    "1e3s",
    "3000000h",
    "١s",
  ])("%j is refused as a usage error", (text) => expect(() => parseGoDuration(text)).toThrow(UsageError));
});

describe("formatGoDuration", () => {
  test.each([
    [0, "0s"],
    [0.0001, "100ns"],
    [0.0015, "1.5\u00b5s"],
    [250, "250ms"],
    [1_500, "1.5s"],
    [10_000, "10s"],
    [90_000, "1m30s"],
    [5_400_000, "1h30m0s"],
    [-5_000, "-5s"],
  ])("%d ms reads %s", (ms, text) => expect(formatGoDuration(ms)).toBe(text));

  test("what it prints parses back to the same duration", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (ms) => {
        expect(parseGoDuration(formatGoDuration(ms))).toBe(ms === 0 ? 0 : ms);
      }),
    );
  });
});
