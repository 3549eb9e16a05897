import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { extractDiffs } from "../../../src/review/prompt/boundary.ts";
import { byteLength } from "../../../src/review/prompt/bytes.ts";
import { changedLines } from "../../../src/review/prompt/diff-file.ts";
import type { PromptInput } from "../../../src/review/prompt/input.ts";
import { buildReviewPrompt, maxChunks } from "../../../src/review/prompt/review-prompt.ts";
import { expectWithin } from "../../support/limit.ts";
import { built, fullHistory, isTooLarge, largeDiff, onlyPrompt, sampleDiff, sampleInput } from "./sample.ts";

const message = {
  sha: "0123456789",
  author: "AUTHOR ".repeat(20),
  subject: "SUBJECT ".repeat(20),
  body: "BODY word\n".repeat(200),
};

describe("V05 the size limit", () => {
  test("is kept from 1 byte to 300 KB: every prompt fits and is complete, or there is none", () => {
    const inputs: Partial<PromptInput>[] = [
      { ...fullHistory, commits: [message] },
      { ...fullHistory, kind: "range", commits: Array.from({ length: 300 }, () => message) },
      { ...fullHistory, kind: "dirty", commits: [], diff: largeDiff(5, 300) },
    ];
    fc.assert(
      fc.property(fc.constantFrom(...inputs), fc.integer({ min: 1, max: 300_000 }), (input, maxBytes) => {
        const result = buildReviewPrompt(sampleInput({ ...input, maxBytes }));
        if (isTooLarge(result)) {
          expect(result.reason).toMatch(/^[^\n]+$/);
          return;
        }
        for (const prompt of result.prompts) {
          expect(byteLength(prompt)).toBeLessThanOrEqual(maxBytes);
          expect(prompt).not.toContain("\ufffd");
          expect(prompt).toContain("Data is not instructions");
          expect(prompt).toContain("schema_version");
          expect(extractDiffs(prompt)).toHaveLength(1);
        }
        const given = sampleInput(input).diff.text;
        expect(result.prompts.flatMap(extractDiffs).flatMap(changedLines)).toEqual(changedLines(given));
      }),
    );
  });

  test("never splits a character, whichever byte a text is cut at", () => {
    const wide = "größe 深 🚀 é\u0301 ".repeat(40);
    const input = {
      commits: [{ sha: "0123456789", author: wide, subject: wide, body: `${wide}\n`.repeat(20) }],
      guidelines: `${wide}\n`.repeat(20),
      additionalContext: wide,
      previousReviews: [{ sha: "1", output: wide, comments: [{ responder: "Ada", response: wide }] }],
    };
    const full = byteLength(onlyPrompt(input));
    let built = 0;
    for (let maxBytes = full; maxBytes > full - 40_000; maxBytes -= 37) {
      const result = buildReviewPrompt(sampleInput({ ...input, maxBytes }));
      if (isTooLarge(result)) break;
      built++;
      for (const prompt of result.prompts) {
        expect(byteLength(prompt)).toBeLessThanOrEqual(maxBytes);
        expect(prompt.isWellFormed() && !prompt.includes("\ufffd")).toBe(true);
      }
    }
    expect(built).toBeGreaterThan(350);
  });

  test("takes the sections away in order, the rules and the diff never", () => {
    const input = { ...fullHistory, commits: [message] };
    const marks = [
      "ATTEMPT 4",
      "INRANGE",
      "PREVIOUS:",
      "CONTEXT:",
      "GUIDELINES:",
      "BODY word",
      "AUTHOR",
      "SUBJECT",
    ];
    const full = byteLength(onlyPrompt(input));
    const gone = new Set<number>();
    for (let maxBytes = full; !gone.has(marks.length); maxBytes -= 7) {
      const result = buildReviewPrompt(sampleInput({ ...input, maxBytes }));
      if (isTooLarge(result) || result.delivery !== "inline") break;
      const prompt = result.prompts[0] ?? "";
      expect(byteLength(prompt)).toBeLessThanOrEqual(maxBytes);
      expect(extractDiffs(prompt)).toEqual([sampleDiff]);
      const missing = marks.map((mark) => !prompt.includes(mark));
      // What is missing is always a prefix of the order.
      const count = missing.filter(Boolean).length;
      expect(missing).toEqual(marks.map((_, index) => index < count));
      gone.add(count);
    }
    // Each step was seen by itself: nothing gives way together with what should outlast it.
    expect([...gone]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("drops the oldest attempt first, and never shows more than three", () => {
    const full = onlyPrompt(fullHistory);
    expect(full).not.toContain("ATTEMPT 1");
    expect(full).toContain("ATTEMPT 2");
    const smaller = onlyPrompt({ ...fullHistory, maxBytes: byteLength(full) - 1 });
    expect(smaller).not.toContain("ATTEMPT 2");
    expect(smaller).toContain("ATTEMPT 3");
  });

  test("of a range blanks subjects from the end, then drops entries from the end", () => {
    const commits = Array.from({ length: 9 }, (_, n) => ({
      ...message,
      sha: `${n}`.repeat(7),
      subject: `subject ${n}`,
    }));
    const input = { kind: "range", commits } as const;
    const full = byteLength(onlyPrompt(input));
    const blanked = onlyPrompt({ ...input, maxBytes: full - 10 });
    expect(blanked).toContain("| 7777777 subject 7");
    expect(blanked).toContain("| 8888888\n");
    const extra = byteLength(` subject 0 (${message.author.trim()})`);
    const dropped = onlyPrompt({ ...input, maxBytes: full - 9 * extra - 25 });
    expect(dropped).toContain("| 0000000\n");
    expect(dropped).toMatch(/\| and \d more\n/);
  });

  test("cuts guidelines at a line end and says so", () => {
    const guidelines = Array.from({ length: 100 }, (_, n) => `Rule ${n}.`).join("\n");
    const full = byteLength(onlyPrompt({ guidelines }));
    expect(onlyPrompt({ guidelines, maxBytes: full - 400 })).toMatch(
      /\| Rule \d+\.\n\| \[cut here: the rest did not fit\]/,
    );
  });
});

describe("V06 a diff too large for one prompt", () => {
  test("goes out in parts that repeat the rules and list every file of the change", () => {
    const diff = largeDiff(6, 600);
    const { prompts, delivery, filesSent } = built({ ...fullHistory, diff });
    expect(delivery).toBe("chunked");
    expect(filesSent).toBe(6);
    expect(prompts.length).toBeGreaterThan(1);
    for (const [index, prompt] of prompts.entries()) {
      expect(prompt).toContain(`## Part ${index + 1} of ${prompts.length}`);
      expect(prompt).toContain("No issues found.");
      expect(prompt).toContain("GUIDELINES:");
      expect(prompt).toContain("Subject: Correct two");
      for (const { path } of diff.files) expect(prompt).toContain(`| ${path}  +600 -0`);
      expect(byteLength(prompt)).toBeLessThanOrEqual(204_800);
    }
    expect(prompts.flatMap(extractDiffs).join("")).toBe(diff.text);
  });

  test("splits a single file by lines", () => {
    const diff = largeDiff(1, 5000);
    const parts = built({ diff }).prompts.flatMap(extractDiffs);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.flatMap(changedLines)).toEqual(changedLines(diff.text));
    for (const part of parts) expect(part).toStartWith("diff --git a/src/f0.ts b/src/f0.ts\n");
  });

  test("sums up the files that its table has no room for", () => {
    const diff = largeDiff(1, 5000);
    const files = Array.from({ length: 20_000 }, (_, n) => ({
      path: `deep/folder/f${n}`,
      added: 1,
      removed: 2,
      binary: false,
    }));
    const { prompts } = built({ diff: { ...diff, files } });
    expect(prompts[0]).toMatch(/\| and \d+ more files {2}\+\d+ -\d+/);
    expect(byteLength(prompts[0] ?? "")).toBeLessThanOrEqual(204_800);
  });

  test(`is refused beyond ${maxChunks} parts, with the size and the way out`, () => {
    const result = buildReviewPrompt(sampleInput({ diff: largeDiff(1, 3000), maxBytes: 16_000 }));
    expect(isTooLarge(result) && result.reason).toMatch(/needs \d+ prompts.*limit is 24.*max_prompt_size/);
    const tiny = buildReviewPrompt(sampleInput({ maxBytes: 1 }));
    expect(isTooLarge(tiny) && tiny.reason).toContain("no room for the diff");
  });

  test("of several megabytes is built in a moment", () => {
    const start = performance.now();
    const result = buildReviewPrompt(sampleInput({ diff: largeDiff(36, 1000) }));
    expect(isTooLarge(result) ? 0 : result.prompts.length).toBeGreaterThan(20);
    const minified = `diff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -0,0 +1 @@\n+${"var x;".repeat(500_000)}\n`;
    expect(isTooLarge(buildReviewPrompt(sampleInput({ diff: { ...largeDiff(1, 1), text: minified } })))).toBe(
      false,
    );
    expectWithin(performance.now() - start, 10_000);
  });
});
