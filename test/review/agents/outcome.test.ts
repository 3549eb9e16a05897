import { expect, test } from "bun:test";
import { decideOutcome, type EndedRun } from "../../../src/review/agents/outcome.ts";

const ended = (more: Partial<EndedRun> = {}) =>
  decideOutcome({
    reviewer: "codex",
    end: "exited",
    exit: 0,
    stderrTail: "",
    result: { text: "No issues found.", recognised: true },
    durationMs: 5,
    timeoutMs: 30 * 60_000,
    now: new Date(2026, 5, 15, 12),
    ...more,
  });

test("a finished review is its text, session and usage", () => {
  const usage = { input: 1, cached: 0, output: 2 };
  expect(ended({ result: { text: "Fine.", recognised: true, sessionId: "s", usage } })).toEqual({
    ok: true,
    text: "Fine.",
    sessionId: "s",
    usage,
    durationMs: 5,
  });
});

test("A05 D38 empty output is a failure to try again, never a review", () => {
  expect(ended({ result: { text: " \n", recognised: true } })).toMatchObject({
    reason: "empty",
    retryable: true,
  });
  expect(ended({ result: { text: "", recognised: false } })).toMatchObject({
    reason: "empty",
    retryable: true,
  });
});

test("A03 D38 output without any known event is unreadable, and the diagnostics are told", () => {
  const outcome = ended({ result: { text: "", recognised: false }, stderrTail: "unknown option --json" });
  expect(outcome).toMatchObject({ reason: "unreadable", retryable: false });
  expect(outcome.ok ? "" : outcome.message).toContain("unknown option --json");
});

test("D38 an answer that was cut off is a failure to try again, though the program says that all went well", () => {
  const outcome = ended({ result: { text: "No issues found.", recognised: true, isCut: true } });
  expect(outcome).toMatchObject({ reason: "cut", retryable: true });
  expect(outcome.ok ? "" : outcome.message).toContain("ended before its answer did");
});

test("a non-zero exit is a failure even with text, and says what the program said", () => {
  expect(ended({ exit: 3, stderrTail: "cannot open\nlog file" })).toEqual({
    ok: false,
    reason: "exit",
    retryable: true,
    message: "codex failed (exit 3): cannot open log file",
  });
});

test("a reviewer that somebody else killed is told by the signal", () => {
  expect(ended({ exit: "SIGKILL" })).toMatchObject({
    message: "codex failed (killed by SIGKILL)",
    retryable: true,
  });
});

test("the program's own report counts before its diagnostics", () => {
  const outcome = ended({
    exit: 1,
    stderrTail: "WARN stream disconnected before completion, retrying",
    result: { text: "", recognised: true, failure: "prompt is too long" },
  });
  expect(outcome).toMatchObject({ reason: "context-window", retryable: false });
});

test("A07 quota carries its cooldown and is not tried again; throttling is", () => {
  const failed = (failure: string) => ended({ exit: 1, result: { text: "", recognised: true, failure } });
  expect(failed("You've hit your usage limit. Try again at 12:30.")).toMatchObject({
    reason: "quota",
    retryable: false,
    cooldownMs: 30 * 60_000,
  });
  expect(failed("You've hit your usage limit.")).not.toHaveProperty("cooldownMs");
  expect(failed("429 Too Many Requests")).toMatchObject({ reason: "transient", retryable: true });
  expect(failed("Not logged in · Please run /login")).toMatchObject({ reason: "exit", retryable: false });
});

test("a review that speaks of quotas is a review", () => {
  expect(ended({ result: { text: "High: quota exceeded is not handled", recognised: true } }).ok).toBe(true);
});

test("cancel, time-out and a flood are told apart", () => {
  expect(ended({ end: "canceled" })).toMatchObject({ reason: "canceled", retryable: false });
  expect(ended({ end: "timeout" })).toMatchObject({
    reason: "timeout",
    retryable: true,
    message: "codex did not finish within 30 min",
  });
  expect(ended({ end: "flooded" })).toMatchObject({ reason: "unreadable", retryable: false });
});

test("a message is one short line without control characters, whatever the program printed", () => {
  const outcome = ended({ exit: 1, stderrTail: `\u001b[31mbad\u001b[0m\r\n\u202e${"é".repeat(4000)}` });
  const message = outcome.ok ? "" : outcome.message;
  expect(message).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(1003);
});
