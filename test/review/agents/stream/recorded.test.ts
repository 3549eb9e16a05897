import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limitOf } from "../../../../src/review/agents/limits.ts";
import { findReviewer } from "../../../../src/review/agents/registry.ts";
import type { Reviewer } from "../../../../src/review/agents/reviewer.ts";
import { fixture, parseAll } from "../fixture.ts";

const finding = "- **Severity**: High\n- **Location**: a.txt:1\n- **Problem**: wrong\n- **Fix**: right";

/** Programs whose output is on record; see the README beside the fixtures. */
const recorded = ["gemini", "qwen", "copilot", "opencode", "droid", "grok"];

const parse = (name: string, file: string, size?: number) =>
  parseAll((findReviewer(name) as Reviewer).createParser(), fixture(file), size);

describe.each([...recorded, "cursor"])("%s", (name) => {
  test("A02 its review is read whole, without what was said before the last tool call, in chunks of any size", () => {
    for (const size of [1, 7, 4096, 1_000_000]) {
      const read = parse(name, `${name}-review.jsonl`, size);
      expect(read).toMatchObject({ text: `## Review Findings\n${finding}`, recognised: true });
      expect(read.failure).toBeUndefined();
    }
  });

  test("A06 with the id of its conversation", () => {
    expect(parse(name, `${name}-review.jsonl`).sessionId).toMatch(/^(?:ses_)?[0-9A-Za-z-]{26,36}$/);
  });

  test("A04 a line cut off at the end and lines that are no events are tolerated", () => {
    const { createParser } = findReviewer(name) as Reviewer;
    const text = fixture(`${name}-review.jsonl`);
    expect(parseAll(createParser(), `warning: new version\n${text}{"type":"te`).text).toContain(finding);
    expect(parseAll(createParser(), "Segmentation fault\n")).toEqual({ text: "", recognised: false });
    expect(parseAll(createParser(), '{"type":"something-else","text":"no"}\n').recognised).toBe(false);
  });

  test("bytes of any kind in pieces of any size never throw", () => {
    const { createParser } = findReviewer(name) as Reviewer;
    const events = fixture(`${name}-review.jsonl`).split("\n");
    const part = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constantFrom("\n", ...events));
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 1, max: 900 }), (parts, size) => {
        parseAll(createParser(), parts.join("\n"), size);
      }),
      { numRuns: 50 },
    );
  });
});

describe.each(recorded)("%s", (name) => {
  const now = new Date(2026, 11, 1, 12);

  test("A05 D38 a recorded run without an answer is no review", () => {
    const { text, failure } = parse(name, `${name}-no-text.jsonl`);
    expect(failure === undefined ? text.trim() : "").toBe("");
  });

  test("A07 a recorded quota and a recorded overflow are told apart", () => {
    const quota = parse(name, `${name}-quota.jsonl`).failure ?? "";
    expect(limitOf(name, quota, now)).toEqual({ class: "quota" });
    const tooLong = parse(name, `${name}-too-long.jsonl`).failure ?? "";
    expect(limitOf(name, tooLong, now)).toEqual({ class: "context-window" });
  });
});

test.each(["gemini", "qwen", "opencode", "droid", "grok"])(
  "%s counts what was used, cached tokens within the input",
  (name) => {
    expect(parse(name, `${name}-review.jsonl`).usage).toEqual({ input: 20, cached: 6, output: 10 });
  },
);

describe.each([...recorded, "cursor", "claude-code", "codex"])("%s", (name) => {
  const { createParser } = findReviewer(name) as Reviewer;
  const lines = fixture(`${name}-review.jsonl`).trimEnd().split("\n");
  const last = lines.length - 1;

  test("D38 an answer is whole only with the event that ends it, however much of it was said before", () => {
    expect(parseAll(createParser(), lines.join("\n")).isCut).toBeUndefined();
    const cutOff = lines.map((line, at) => [...lines.slice(0, at), line.slice(0, -9)].join("\n"));
    for (const output of [...cutOff, ...lines.map((_, at) => lines.slice(0, at).join("\n"))]) {
      const { text, isCut } = parseAll(createParser(), output);
      expect(text === "" || isCut, output.slice(-80)).toBe(true);
    }
    expect(parseAll(createParser(), lines.slice(0, last).join("\n")).text).toContain("Severity");
  });
});

test.each([
  ["claude-code", { stop_reason: "max_tokens" }],
  ["claude-code", { stop_reason: "refusal" }],
  ["grok", { stopReason: "max_tokens" }],
  ["grok", { stopReason: "cancelled" }],
  ["opencode", { part: { reason: "length" } }],
  ["opencode", { part: { reason: "content-filter" } }],
] as const)("D38 %s: an answer that ends with %j is not whole", (name, reason) => {
  const { createParser } = findReviewer(name) as Reviewer;
  const lines = fixture(`${name}-review.jsonl`).trimEnd().split("\n");
  const end = JSON.parse(lines.pop() ?? "");
  const part = "part" in reason ? { part: { ...end.part, ...reason.part } } : reason;
  const output = [...lines, JSON.stringify({ ...end, ...part })].join("\n");
  expect(parseAll(createParser(), output).isCut).toBe(true);
});
