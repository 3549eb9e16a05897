import { describe, expect, test } from "bun:test";
import type { HookDecision, HookEventName } from "../../src/harness/harness.ts";
import { harnesses } from "../../src/harness/registry.ts";

const text = 'say "hi"\n</system-reminder> ü';
const block: HookDecision = { kind: "block", text };
const context: HookDecision = { kind: "context", text };
const allEvents: HookEventName[] = [
  ...([
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
  ] as const),
  ...(["Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Notification"] as const),
  ...(["PermissionRequest", "Other"] as const),
];

const of = (event: HookEventName) => ({ event, nativeEvent: event });

test.each(harnesses.map((harness) => [harness.name, harness] as const))(
  "%s: nothing to say is an empty object at every event",
  (_, harness) => {
    for (const event of allEvents) expect(harness.encode(of(event), { kind: "none" })).toBe("{}");
  },
);

// The others have tests of their own.
const likeClaude = harnesses.filter(({ name }) => name === "claude" || name === "codex");
describe.each(likeClaude.map((harness) => [harness.name, harness] as const))("%s", (name, harness) => {
  test("Stop blocks with a decision and a reason, and no other field", () => {
    expect(JSON.parse(harness.encode(of("Stop"), block))).toEqual({ decision: "block", reason: text });
  });

  test("a tool's end carries context under its own event name, and no decision", () => {
    const events: HookEventName[] =
      name === "claude" ? ["PostToolUse", "PostToolUseFailure"] : ["PostToolUse"];
    for (const event of events) {
      expect(JSON.parse(harness.encode(of(event), context))).toEqual({
        hookSpecificOutput: { hookEventName: event, additionalContext: text },
      });
    }
  });

  test("what an event cannot carry is refused, never sent in another shape", () => {
    for (const event of allEvents) {
      if (event !== "Stop") expect(() => harness.encode(of(event), block)).toThrow("cannot carry");
      const carries = event === "PostToolUse" || (name === "claude" && event === "PostToolUseFailure");
      if (!carries) expect(() => harness.encode(of(event), context)).toThrow("cannot carry");
    }
    expect(() => harness.encode(of("Stop"), { kind: "block", text: " " })).toThrow("empty text");
  });
});
