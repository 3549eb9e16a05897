import { expect, test } from "bun:test";
import { summaryLine } from "../../src/review/summary-line.ts";
import type { ReviewFinding } from "../../src/store/schema.ts";

const finding = (number: number, more: Partial<ReviewFinding> = {}): ReviewFinding => ({
  ...{ number, severity: "medium", problem: `problem ${number}` },
  ...more,
});
const settled = { state: "refuted", by: "dev", at: "2026-01-01T00:00:00Z" } as const;

test("a review is summed up by its most severe open finding, and how many more there are", () => {
  const findings = [
    finding(1),
    finding(2, { severity: "critical", disposition: settled }),
    finding(3, { severity: "high", location: "src/a.ts:3" }),
    finding(4, { severity: "high" }),
  ];
  expect(summaryLine(findings, "")).toBe("high: problem 3 (src/a.ts:3), and 2 more");
  expect(summaryLine([finding(1)], "")).toBe("medium: problem 1");
  expect(summaryLine([finding(1, { disposition: settled })], "")).toBe("every finding is dealt with");
});

test("without a list of findings its first words stand for it", () => {
  expect(summaryLine(undefined, "\n---\n## The index may be negative.\nMore.")).toBe(
    "The index may be negative.",
  );
  expect(summaryLine([], "")).toBe("");
});

test("it is one line, not too long, and carries no control characters", () => {
  const line = summaryLine([finding(1, { problem: `a\n\x1b[2Jb ${"é".repeat(300)}`, location: "x\ny" })], "");
  expect(line).not.toMatch(/[\x1b\n]/);
  expect(line).toEndWith("… (x y)");
  expect(Buffer.byteLength(line)).toBeLessThan(200);
});
