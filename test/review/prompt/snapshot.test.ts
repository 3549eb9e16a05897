import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { judge } from "../../../src/review/judge.ts";
import { extractDiffs } from "../../../src/review/prompt/boundary.ts";
import { byteLength } from "../../../src/review/prompt/bytes.ts";
import { parseDiff } from "../../../src/review/prompt/diff-file.ts";
import { diffFilePath } from "../../../src/review/prompt/diff-path.ts";
import type { PromptInput, ReviewPrompt } from "../../../src/review/prompt/input.ts";
import { buildReviewPrompt } from "../../../src/review/prompt/review-prompt.ts";
import { firstHunks, tryPlanSnapshot } from "../../../src/review/prompt/snapshot.ts";
import { built, fullHistory, isTooLarge, largeDiff, sampleInput } from "./sample.ts";

const reading = { maxBytes: 512 * 1024, maxLineLength: 1500, sectionBytes: 24 * 1024 };
const snapshot = { ...reading, secret: "s3cret" };
const diff = largeDiff(4, 800);
const inFile = (changes: Partial<PromptInput> = {}) => built({ diff, snapshot, ...changes });
const withoutMarks = (text: string) => text.replace(/^\\ roborev mark .*\n/gm, "");

describe("V06 a diff in a file", () => {
  test("is there whole, line for line, in sections that each end with a mark of their own", () => {
    const prompt = inFile();
    expect(prompt).toMatchObject({ delivery: "file", filesSent: 4, covers: [diff.text] });
    const { text = "", marks = [], fileName } = prompt.snapshot ?? {};
    expect(withoutMarks(text)).toBe(diff.text);
    expect(new Set(marks).size).toBe(marks.length);
    expect([...(text.match(/^\\ roborev mark \d+ of \d+: \S+$/gm) ?? [])]).toEqual(
      marks.map((mark, index) => `\\ roborev mark ${index + 1} of ${marks.length}: ${mark}`),
    );
    for (const section of text.split(/^\\ roborev mark .*$/m))
      expect(byteLength(section)).toBeLessThan(26_000);
    expect(prompt.prompts[0]).toContain(`    ${fileName}\n`);
    const ends = text.split("\n").flatMap((line, at) => (line.startsWith("\\ roborev mark") ? [at + 1] : []));
    expect(prompt.prompts[0]).toContain(`ending at line ${ends.join(", ")}.`);
    for (const mark of marks) expect(prompt.prompts[0]).not.toContain(mark);
  });

  test("shows every file of it in the prompt: in the table, and its first hunk", () => {
    const prompt = inFile(fullHistory).prompts[0] ?? "";
    expect(byteLength(prompt)).toBeLessThanOrEqual(204_800);
    const shown = extractDiffs(prompt).flatMap(parseDiff).map(diffFilePath);
    for (const { path } of diff.files) {
      expect(prompt).toContain(`| ${path}  +800 -0`);
      expect(shown).toContain(path);
    }
  });

  test("keeps the limit from 1 byte to 300 KB, or is delivered in another way", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300_000 }), (maxBytes) => {
        const result = buildReviewPrompt(sampleInput({ ...fullHistory, diff, snapshot, maxBytes }));
        if (isTooLarge(result)) return;
        for (const prompt of result.prompts) expect(byteLength(prompt)).toBeLessThanOrEqual(maxBytes);
        expect(result.snapshot === undefined).toBe(result.delivery !== "file");
      }),
    );
  });

  test("goes out in several prompts where no file is read, or not all of it", () => {
    const { snapshot: _, ...unable } = sampleInput({ diff, snapshot });
    expect(buildReviewPrompt(unable)).toMatchObject({ delivery: "chunked" });
    expect(inFile({ snapshot: { ...snapshot, maxBytes: 1000 } }).delivery).toBe("chunked");
    const wide = { ...diff, text: `${diff.text}+${"x".repeat(1600)}\n` };
    expect(inFile({ diff: wide })).toMatchObject({ delivery: "chunked" });
    expect(inFile({ diff: sampleInput().diff })).toMatchObject({ delivery: "inline" });
  });

  test("has marks and a name that another secret does not have", () => {
    const [a, b] = ["a", "b"].map((secret) => tryPlanSnapshot(diff.text, reading, secret));
    expect(a?.fileName).not.toBe(b?.fileName);
    expect(a?.marks.some((mark) => b?.marks.includes(mark))).toBe(false);
  });

  test("is any text, with or without a final newline", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const planned = tryPlanSnapshot(text, { ...reading, maxLineLength: 5000 }, "s");
        expect(planned?.text.startsWith(text)).toBe(true);
        expect(planned?.marks.length).toBe(1);
      }),
    );
  });
});

test("V06 the starts of many files share the room, and each that is shown is a valid diff", () => {
  const many = largeDiff(60, 40);
  const starts = firstHunks(many.text, 40_000);
  expect(byteLength(starts)).toBeLessThanOrEqual(40_000);
  expect(parseDiff(starts).map(diffFilePath)).toEqual(many.files.map(({ path }) => path));
  expect(firstHunks(many.text, 100)).toBe("");
});

describe("V06 an answer to a diff in a file", () => {
  const prompt: ReviewPrompt = inFile();
  const marks = prompt.snapshot?.marks ?? [];
  const pass = "No issues found. Read src/f0.ts.";
  const fail = "High: src/f0.ts:3: it breaks";

  test("counts when it carries every mark, wherever it does", () => {
    expect(judge(prompt, [`${pass} Marks: ${marks.join(" ")}`])).toMatchObject({ verdict: "P" });
    expect(judge(prompt, [`${fail}\n\nMarks: ${marks.join(", ")}`])).toMatchObject({ verdict: "F" });
    const summary = `Read src/f0.ts. Marks: ${marks.join(" ")}`;
    const block = JSON.stringify({ schema_version: 2, verdict: "pass", findings: [], summary });
    expect(judge(prompt, [`SEVERITY_THRESHOLD_MET\n\n${block}`])).toMatchObject({ basis: "structured" });
  });

  test("is no review without one of them, whatever it says", () => {
    for (const text of [pass, fail]) {
      const answer = `${text} Marks: ${marks.slice(0, -1).join(" ")}`;
      expect(judge(prompt, [answer])).toMatchObject({ kind: "none", cause: "snapshot" });
      expect(judge(prompt, [text])).toMatchObject({ kind: "none", cause: "snapshot" });
    }
    const unable = judge(prompt, ["UNABLE TO REVIEW: no such file"]);
    expect(unable).toMatchObject({ kind: "none", cause: "unable", reason: "no such file" });
  });
});
