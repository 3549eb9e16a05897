import { expect, test } from "bun:test";
import { reviewerText, usageText, withoutDataBlock } from "../../src/lib/review-text.ts";

const block = '\n\n```json\n{"schema_version": 2, "verdict": "fail"}\n```\n';

test("the data block at the end of a review is not shown, anything like it is", () => {
  expect(withoutDataBlock(`Findings.${block}`)).toBe("Findings.");
  for (const text of [
    `Findings.\n\n\`\`\`json\n{"a": 1}\n\`\`\``,
    `Findings.\n\n\`\`\`json\n{broken\n\`\`\``,
    `Findings.${block}\nMore words.`,
    block.trim(),
    "",
  ]) {
    expect(withoutDataBlock(text)).toBe(text.trimEnd());
  }
  expect(withoutDataBlock(block).trim()).toBe(block.trim());
});

test("token use is short, and without a price where none is known", () => {
  expect(usageText({ input: 999, cached: 0, output: 5 })).toBe("999 ctx · 5 out");
  expect(usageText({ input: 100_000, cached: 18_000, output: 28_800, cost_usd: 0.4211 })).toBe(
    "118.0k ctx · 28.8k out · ~$0.42",
  );
});

test("a reviewer's hostile name stays on its line", () => {
  expect(reviewerText("a\nb\x1b[1m")).toBe("a b [1m");
});
