import { expect, test } from "bun:test";
import fc from "fast-check";
import { codexStream } from "../../../../src/review/agents/stream/codex.ts";
import { fixture, lines, parseAll } from "../fixture.ts";

const parse = (text: string, size?: number) => parseAll(codexStream(), text, size);
const message = (id: string, text: string, type = "item.completed") => ({
  type,
  item: { id, type: "agent_message", text },
});
const command = (type = "item.completed") => ({ type, item: { id: "c", type: "command_execution" } });
const finding = "- **Severity**: High\n- **Location**: a.txt:1\n- **Problem**: wrong\n- **Fix**: right";

test("A02 a recorded review of the real program is read whole, with session and usage, in chunks of any size", () => {
  for (const size of [1, 7, 4096, 1_000_000]) {
    const read = parse(fixture("codex-review.jsonl"), size);
    expect(read).toMatchObject({ text: `## Review Findings\n${finding}`, recognised: true });
    // Its warnings are items of type `error`, and no failure.
    expect(fixture("codex-review.jsonl")).toContain('"type":"error"');
    expect(read.failure).toBeUndefined();
    expect(read.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(read.usage).toEqual({ input: 20, cached: 6, output: 10 });
  }
});

test("A02 text before the last tool call is dropped, updates replace by id, parts are joined in order", () => {
  const read = parse(
    lines(
      message("1", "Looking."),
      command("item.started"),
      command(),
      message("2", "No iss", "item.updated"),
      message("3", "Second."),
      message("2", "First."),
    ),
  );
  expect(read.text).toBe("First.\nSecond.");
});

test("A02 a change of files drops what was said before it", () => {
  const change = { type: "item.completed", item: { id: "f", type: "file_change" } };
  expect(parse(lines(message("1", "before"), change, message("2", "after"))).text).toBe("after");
});

test("A03 a failed turn and an error event fail; the first report wins and reading goes on", () => {
  const read = parse(
    lines(
      { type: "thread.started", thread_id: "t-1" },
      { type: "error", message: "exceeded retry limit, last status: 429 Too Many Requests" },
      { type: "turn.failed", error: { message: "later" } },
      { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 2 } },
    ),
  );
  expect(read.failure).toBe("exceeded retry limit, last status: 429 Too Many Requests");
  expect(read.usage).toEqual({ input: 1, cached: 0, output: 2 });
});

test("A03 the service's own message is taken out of its JSON", () => {
  expect(parse(fixture("codex-too-long.jsonl")).failure).toStartWith("prompt is too long");
  expect(parse(fixture("codex-quota.jsonl")).failure).toStartWith("quota exceeded");
});

test("A03 no event at all is not recognised", () => {
  expect(parse("Usage: codex\n{}\n").recognised).toBe(false);
});

test("A03 one line of 2 MB is read, however it is cut", () => {
  const long = "x".repeat(2 * 1024 * 1024);
  expect(parse(lines(message("1", long)), 64 * 1024).text).toBe(long);
});

test("A05 a recorded run without text has none", () => {
  const read = parse(fixture("codex-no-text.jsonl"));
  expect(read.recognised).toBe(true);
  expect(read.text.trim()).toBe("");
});

test("bytes of any kind in pieces of any size never throw", () => {
  const parts = fc.array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.constantFrom("\n", '{"type":"item.completed","item":'),
    ),
  );
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 9 }), (some, size) => {
      parse(some.join(""), size);
    }),
  );
});
