import { expect, test } from "bun:test";
import fc from "fast-check";
import { claudeStream } from "../../../../src/review/agents/stream/claude.ts";
import { fixture, lines, parseAll } from "../fixture.ts";

const parse = (text: string, size?: number) => parseAll(claudeStream(), text, size);
const text = (id: string, said: string) => ({
  type: "assistant",
  message: { id, content: [{ type: "text", text: said }] },
});
const tool = (id: string) => ({
  type: "assistant",
  message: { id, content: [{ type: "tool_use", name: "Read" }] },
});
const result = (more: object) => ({ type: "result", subtype: "success", is_error: false, ...more });
const finding = "- **Severity**: High\n- **Location**: a.txt:1\n- **Problem**: wrong\n- **Fix**: right";

test("A02 a recorded review of the real program is read whole, with session and usage, in chunks of any size", () => {
  for (const size of [1, 7, 4096, 1_000_000]) {
    const read = parse(fixture("claude-code-review.jsonl"), size);
    expect(read).toMatchObject({ text: `## Review Findings\n${finding}`, recognised: true });
    expect(read.failure).toBeUndefined();
    expect(read.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(read.usage).toMatchObject({ input: 26, cached: 6, output: 10 });
  }
});

test("A02 text before the last tool call is dropped, text after it kept in order", () => {
  const read = parse(lines(text("m1", "Looking."), tool("m1"), text("m2", "One."), text("m3", "Two.")));
  expect(read.text).toBe("One.\nTwo.");
});

test("A02 an update of a message replaces its earlier state", () => {
  expect(parse(lines(text("m1", "No iss"), text("m1", "No issues found."))).text).toBe("No issues found.");
});

test("A02 further blocks of one message are further parts, not updates", () => {
  expect(parse(lines(text("m1", "Finding."), text("m1", "Summary."))).text).toBe("Finding.\nSummary.");
});

test("A02 what a sub-agent says is not the review", () => {
  const inner = { ...text("m9", "inner"), parent_tool_use_id: "toolu_1" };
  expect(parse(lines(text("m1", "Review."), inner)).text).toBe("Review.");
});

test("A04 the result is preferred when it is more than the end of what was said", () => {
  expect(parse(lines(text("m1", "draft"), result({ result: "Final." }))).text).toBe("Final.");
  expect(parse(lines(text("m1", "One."), text("m2", "Two."), result({ result: "Two." }))).text).toBe(
    "One.\nTwo.",
  );
  expect(parse(lines(text("m1", "Said."), result({ result: "" }))).text).toBe("Said.");
});

test("A04 a result that is an error is a failure with its message", () => {
  expect(parse(lines(result({ is_error: true, result: "API Error: 500" }))).failure).toBe("API Error: 500");
  expect(parse(lines({ type: "result", subtype: "error_max_turns" })).failure).toBe("error_max_turns");
  expect(parse(fixture("claude-code-quota.jsonl")).failure).toBe("Credit balance is too low (status 400)");
  expect(parse(fixture("claude-code-too-long.jsonl")).failure).toStartWith("Prompt is too long");
});

test("A04 a line cut off at the end, a last line without its end, and lines that are no events are tolerated", () => {
  const events = lines(text("m1", "Review."));
  expect(parse(`warning: old version\n${events}{"type":"assistant","mess`).text).toBe("Review.");
  expect(parse(`[1]\nnull\n{broken}\n${events.trimEnd()}`).text).toBe("Review.");
  expect(parse("Segmentation fault\n")).toEqual({ text: "", recognised: false });
});

test("A05 a recorded run without text has none", () => {
  expect(parse(fixture("claude-code-no-text.jsonl")).text.trim()).toBe("");
});

test("A06 the first session id counts, and one that could be an option never does", () => {
  const first = { type: "system", session_id: "a-1" };
  expect(parse(lines(first, { type: "system", session_id: "b-2" })).sessionId).toBe("a-1");
  expect(parse(lines({ type: "system", session_id: "--resume" })).sessionId).toBeUndefined();
  expect(parse(lines({ type: "system", session_id: "a".repeat(129) })).sessionId).toBeUndefined();
});

test("bytes of any kind in pieces of any size never throw", () => {
  const parts = fc.array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.constantFrom("\n", '{"type":"assistant","message":', '{"type":"result","usage":1}', "{}"),
    ),
  );
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 9 }), (some, size) => {
      parse(some.join(""), size);
    }),
  );
});
