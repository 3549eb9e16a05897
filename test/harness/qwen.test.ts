import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { HookDecision, HookEvent, HookEventName } from "../../src/harness/harness.ts";
import { qwen } from "../../src/harness/qwen.ts";

// Captured from Qwen Code 0.24.4.
const fixtures = join(import.meta.dir, "../fixtures/harness/qwen");
const names = readdirSync(fixtures).map((file) => basename(file, ".json"));
const load = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8"));

function decoded(payload: Record<string, unknown>): HookEvent {
  const result = qwen.decode(payload);
  if (result.kind !== "event") throw new Error(JSON.stringify(result));
  return result.event;
}

const turn = { turnId: "{{SESSION_ID}}########0" };
const event = (nativeEvent: string, name: HookEventName, more: Partial<HookEvent> = {}): HookEvent => ({
  event: name,
  nativeEvent,
  sessionId: "{{SESSION_ID}}",
  cwd: "{{REPO}}",
  ...more,
});
const shell = { ...turn, tool: "Bash", command: "git commit --allow-empty -m x" };
const commit = { ...shell, toolUseId: "{{TOOL_USE_ID}}" };
const turnEnd = { ...turn, channel: "block", endsTurn: true } as const;

const expected: Record<string, HookEvent> = {
  InstructionsLoaded: event("InstructionsLoaded", "Other"),
  MessageDisplay: event("MessageDisplay", "Other", turn),
  Notification: event("Notification", "Notification"),
  "Notification.permission_prompt": event("Notification", "Notification", turn),
  PermissionRequest: event("PermissionRequest", "PermissionRequest", turn),
  PostToolBatch: event("PostToolBatch", "Other", turn),
  PostToolUse: event("PostToolUse", "PostToolUse", { ...commit, channel: "context" }),
  "PostToolUse.directory": event("PostToolUse", "PostToolUse", {
    ...commit,
    toolDirectory: "{{REPO}}/sub",
    channel: "context",
  }),
  PostToolUseFailure: event("PostToolUseFailure", "PostToolUseFailure", {
    ...commit,
    command: "git commit -m nothing-to-commit",
    channel: "context",
  }),
  PreToolUse: event("PreToolUse", "PreToolUse", commit),
  SessionEnd: event("SessionEnd", "SessionEnd"),
  SessionStart: event("SessionStart", "SessionStart"),
  Stop: event("Stop", "Stop", { ...turnEnd, stopHookActive: false }),
  "Stop.after-block": event("Stop", "Stop", { ...turnEnd, stopHookActive: true }),
  "Stop.after-block-and-tool": event("Stop", "Stop", { ...turnEnd, stopHookActive: true }),
  UserPromptSubmit: event("UserPromptSubmit", "UserPromptSubmit", turn),
};

describe("what Qwen Code sends", () => {
  test.each(names)("%s decodes to the canonical event", (name) => {
    expect(decoded(load(name))).toEqual(expected[name] as HookEvent);
  });

  test("the empty prompt that it submits after each tool is an event like any other", () => {
    const payload = { ...load("UserPromptSubmit"), prompt: "", submitted_prompt: undefined };
    expect(decoded(payload)).toEqual(expected.UserPromptSubmit as HookEvent);
  });

  test("a sub-agent's command belongs to the session and names the sub-agent", () => {
    const payload = { ...load("PostToolUse"), agent_id: "reviewer-1" };
    expect(decoded(payload)).toEqual({
      ...(expected.PostToolUse as HookEvent),
      agentId: "reviewer-1",
    });
  });

  test("a command that was sent to the background is known as one", () => {
    const payload = load("PostToolUse");
    payload.tool_input = { command: "npm test", is_background: true };
    expect(decoded(payload)).toMatchObject({ command: "npm test", background: true });
  });

  test.each(["PostToolUse", "postToolUse", "post_tool_use", "POST_TOOL_USE"])(
    "the event after a tool may be spelt %s",
    (spelt) => {
      const payload = { ...load("PostToolUse"), hook_event_name: spelt };
      expect(decoded(payload)).toEqual(event(spelt, "PostToolUse", { ...commit, channel: "context" }));
    },
  );

  test("null is the same as absent", () => {
    const payload = load("PostToolUse");
    for (const field of ["cwd", "timestamp", "permission_mode", "prompt_id", "tool_response", "tool_use_id"])
      payload[field] = null;
    expect(decoded(payload)).toEqual({
      event: "PostToolUse",
      nativeEvent: "PostToolUse",
      sessionId: "{{SESSION_ID}}",
      tool: "Bash",
      command: shell.command,
      channel: "context",
    });
  });

  test("no session id means no session; a payload of Grok Build is foreign", () => {
    expect(qwen.decode({ ...load("Stop"), session_id: null })).toEqual({ kind: "anonymous" });
    expect(qwen.decode({ ...load("Stop"), workspaceRoot: "/r" }).kind).toBe("foreign");
  });
});

describe("what Qwen Code is told", () => {
  const text = 'fix "x"\n& ü';
  const block: HookDecision = { kind: "block", text };
  const context: HookDecision = { kind: "context", text };
  const encode = (name: string, decision: HookDecision) => qwen.encode(decoded(load(name)), decision);

  test("an empty object when there is nothing to say", () => {
    for (const name of names) expect(encode(name, { kind: "none" })).toBe("{}");
  });

  test.each(["PostToolUse", "PostToolUseFailure"])(
    "%s: context, as a decision there is thrown away",
    (name) => {
      expect(encode(name, context)).toBe(
        `{"hookSpecificOutput":{"hookEventName":"${name}","additionalContext":"fix \\"x\\"\\n& ü"}}`,
      );
    },
  );

  test("at the end of a turn, a block with its reason and no other field", () => {
    expect(encode("Stop", block)).toBe('{"decision":"block","reason":"fix \\"x\\"\\n& ü"}');
  });

  test("what an event cannot carry is refused, never sent in another shape", () => {
    for (const name of names) {
      const { channel } = decoded(load(name));
      for (const decision of [block, context])
        if (decision.kind !== channel) expect(() => encode(name, decision)).toThrow("cannot carry");
    }
    expect(() => encode("Stop", { kind: "block", text: "" })).toThrow("empty text");
  });
});

test("what Qwen Code is given to read: milliseconds of at least 1000, a name, no event that old versions warn about", () => {
  expect(qwen.registrations).toEqual([
    { event: "PreToolUse", matcher: "run_shell_command" },
    { event: "PostToolUse", matcher: "run_shell_command" },
    { event: "Stop" },
  ]);
  expect(qwen.config).toEqual({
    directoryVariable: "QWEN_HOME",
    directory: ".qwen",
    file: "settings.json",
    format: "nested-json",
    comments: true,
    timeoutUnit: "milliseconds",
    timeoutRange: { min: 1_000, max: 30_000 },
    entryFields: { name: "roborev" },
  });
});
