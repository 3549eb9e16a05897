import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PromptInput } from "../../../src/review/prompt/input.ts";
import { built, fullHistory, rangeCommits, sampleDiff, sampleInput } from "./sample.ts";

// Every kind of prompt, byte for byte as a reviewer gets it. After a change of wording:
//   UPDATE_GOLDENS=1 bun test test/review/prompt/golden.test.ts, then read the difference as a reviewer.

const folder = join(import.meta.dir, "golden");
const updates = process.env.UPDATE_GOLDENS === "1";
const merged = { ...sampleInput().diff, isMerge: true, excludedFiles: ["bun.lock", "go.sum"] };
const binary =
  "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n";
const large = `diff --git a/src/big.ts b/src/big.ts\n--- a/src/big.ts\n+++ b/src/big.ts\n@@ -0,0 +1,120 @@\n${"+some line of code\n".repeat(120)}`;

const cases: Record<string, Partial<PromptInput>> = {
  "single-commit": {},
  "single-commit-without-message": {
    commits: [{ sha: "0123456789abcdef", author: "Ada", subject: "", body: "" }],
  },
  range: { kind: "range", commits: rangeCommits },
  "range-with-reviews-of-its-commits": { kind: "range", commits: rangeCommits, ...fullHistory },
  dirty: { kind: "dirty", commits: [] },
  "dirty-with-guidelines-and-previous-reviews": {
    kind: "dirty",
    commits: [],
    ...fullHistory,
    inRangeReviews: [],
    attempts: [],
  },
  "security-commit": { reviewType: "security" },
  "security-range": { reviewType: "security", kind: "range", commits: rangeCommits },
  "design-commit": { reviewType: "design" },
  "design-dirty": { reviewType: "design", kind: "dirty", commits: [] },
  "with-guidelines": { guidelines: "Prefer early returns.\n\nNo new dependencies." },
  "with-additional-context": { additionalContext: "Part two of the migration.\nPart one is 0a1b2c3." },
  "with-previous-reviews-and-comments": { previousReviews: fullHistory.previousReviews ?? [] },
  "with-attempts": { attempts: fullHistory.attempts ?? [] },
  "with-severity-floor": { minSeverity: "medium" },
  "with-severity-floor-of-a-security-review": { minSeverity: "high", reviewType: "security" },
  "merge-with-files-left-out": { diff: merged },
  "files-that-no-diff-shows": {
    diff: {
      ...sampleInput().diff,
      text: sampleDiff + binary,
      files: [...sampleInput().diff.files, { path: "logo.png", added: 0, removed: 0, binary: true }],
    },
  },
  "in-parts": {
    diff: { ...sampleInput().diff, text: sampleDiff + large },
    maxBytes: 6400,
  },
  "in-a-file": {
    diff: { ...sampleInput().diff, text: sampleDiff + large + large.replaceAll("src/big", "src/more") },
    maxBytes: 7600,
    snapshot: { maxBytes: 500_000, maxLineLength: 1500, sectionBytes: 2000, secret: "secret" },
  },
  "for-claude-code": { agentFamily: "claude-code" },
  "for-gemini": { agentFamily: "gemini" },
  "for-any-other-reviewer": { agentFamily: "other" },
};

describe("V03 the prompt", () => {
  for (const [name, changes] of Object.entries(cases)) {
    test(name.replaceAll("-", " "), () => {
      const { prompts, delivery } = built(changes);
      expect(delivery).toBe(name === "in-parts" ? "chunked" : name === "in-a-file" ? "file" : "inline");
      const text = prompts.join("\n=== next prompt ===\n\n");
      const path = join(folder, `${name}.md`);
      if (updates) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, text);
      }
      expect(existsSync(path), `${path} is missing: UPDATE_GOLDENS=1 writes it`).toBe(true);
      expect(text).toBe(readFileSync(path, "utf8"));
    });
  }

  test("has no golden that nobody compares", () => {
    expect(readdirSync(folder).toSorted()).toEqual(
      Object.keys(cases)
        .map((name) => `${name}.md`)
        .toSorted(),
    );
  });
});
