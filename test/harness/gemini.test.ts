import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gemini } from "../../src/harness/gemini.ts";
import type { HookDecision, HookEvent, HookEventName } from "../../src/harness/harness.ts";

// Captured from Gemini CLI 0.61.0; 0.26.0 sends the same fields.
const fixtures = join(import.meta.dir, "../fixtures/harness/gemini");
const names = readdirSync(fixtures).map((file) => basename(file, ".json"));
const load = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8"));

function decoded(payload: Record<string, unknown>): HookEvent {
  const result = gemini.decode(payload);
  if (result.kind !== "event") throw new Error(JSON.stringify(result));
  return result.event;
}

const session = { sessionId: "{{SESSION_ID}}", cwd: "{{REPO}}" };
const event = (nativeEvent: string, name: HookEventName, more: Partial<HookEvent> = {}): HookEvent => ({
  event: name,
  nativeEvent,
  ...session,
  ...more,
});
const commit = { tool: "Bash", command: "git commit --allow-empty -m x" };
// The hash of "rig: commit once", the prompt of every captured turn.
const turnId = Bun.hash("rig: commit once").toString(36);
const turnEnd = { turnId, channel: "block", endsTurn: true } as const;

const expected: Record<string, HookEvent> = {
  SessionStart: event("SessionStart", "SessionStart"),
  BeforeAgent: event("BeforeAgent", "UserPromptSubmit", { turnId }),
  BeforeModel: event("BeforeModel", "Other"),
  BeforeToolSelection: event("BeforeToolSelection", "Other"),
  AfterModel: event("AfterModel", "Other"),
  BeforeTool: event("BeforeTool", "PreToolUse", commit),
  AfterTool: event("AfterTool", "PostToolUse", { ...commit, channel: "context" }),
  "AfterTool.directory": event("AfterTool", "PostToolUse", {
    ...commit,
    toolDirectory: "sub",
    channel: "context",
  }),
  "AfterTool.exit-1": event("AfterTool", "PostToolUse", {
    ...commit,
    command: "git commit -m nothing-to-commit",
    channel: "context",
  }),
  AfterAgent: event("AfterAgent", "Stop", { ...turnEnd, stopHookActive: false }),
  "AfterAgent.after-block": event("AfterAgent", "Stop", { ...turnEnd, stopHookActive: true }),
  "AfterAgent.after-block-and-tool": event("AfterAgent", "Stop", { ...turnEnd, stopHookActive: false }),
  Notification: event("Notification", "Notification"),
  PreCompress: event("PreCompress", "PreCompact"),
  SessionEnd: event("SessionEnd", "SessionEnd"),
  "SessionEnd.interactive": event("SessionEnd", "SessionEnd"),
};

describe("what Gemini CLI sends", () => {
  test.each(names)("%s decodes to the canonical event", (name) => {
    expect(decoded(load(name))).toEqual(expected[name] as HookEvent);
  });

  test.each(["BeforeTool", "beforeTool", "before_tool", "BEFORE_TOOL", "PreToolUse", "pre_tool_use"])(
    "the event before a tool may be spelt %s",
    (spelt) => {
      const payload = { ...load("BeforeTool"), hook_event_name: spelt };
      expect(decoded(payload)).toEqual(event(spelt, "PreToolUse", commit));
    },
  );

  test("a command that was sent to the background is known as one", () => {
    const payload = load("AfterTool");
    payload.tool_input = { command: "sleep 1; git commit -m x", is_background: true };
    expect(decoded(payload)).toMatchObject({ command: "sleep 1; git commit -m x", background: true });
  });

  test("other tools keep their name and have no command", () => {
    const payload = { ...load("AfterTool"), tool_name: "mcp_x_run_shell_command" };
    expect(decoded(payload)).toEqual(
      event("AfterTool", "PostToolUse", { tool: "mcp_x_run_shell_command", channel: "context" }),
    );
  });

  test("null is the same as absent", () => {
    const payload = load("AfterAgent");
    for (const field of ["cwd", "timestamp", "transcript_path", "prompt_response", "stop_hook_active"])
      payload[field] = null;
    expect(decoded(payload)).toEqual({
      event: "Stop",
      nativeEvent: "AfterAgent",
      sessionId: "{{SESSION_ID}}",
      ...turnEnd,
    });
  });

  test("a turn is told by the words that began it", () => {
    const turnOf = (prompt: unknown) => decoded({ ...load("AfterAgent"), prompt }).turnId;
    const ids = ["go on", "Go on", "go on ", "<b>", "ü", "x".repeat(100_000), undefined].map(turnOf);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{1,13}$/);
    expect(turnOf("go on")).toBe(turnOf("go on"));
    expect(turnOf(null)).toBe(turnOf(undefined));
  });

  test("what 0.26.0 ends without words is the rest of a turn that was blocked, not a turn", () => {
    const payload = { ...load("AfterAgent.after-block-and-tool"), prompt: "" };
    expect(decoded(payload)).toEqual(event("AfterAgent", "Stop", { stopHookActive: false }));
  });

  test.each([
    ["AfterAgent", { prompt: ["x"] }, "prompt is not a string"],
    ["AfterTool", { tool_input: null }, "tool_input is not an object"],
    ["BeforeTool", { tool_name: "" }, "tool_name is missing"],
  ])("%s with %j is malformed: %s", (name, change, problem) => {
    expect(gemini.decode({ ...load(name), ...change })).toEqual({ kind: "malformed", problem });
  });

  test("no session id means no session; a payload of Grok Build is foreign", () => {
    expect(gemini.decode({ ...load("AfterTool"), session_id: "" })).toEqual({ kind: "anonymous" });
    expect(gemini.decode({ ...load("AfterTool"), workspaceRoot: "/r" }).kind).toBe("foreign");
  });
});

describe("what Gemini CLI is told", () => {
  const text = 'fix "x"\n& ü';
  const block: HookDecision = { kind: "block", text };
  const context: HookDecision = { kind: "context", text };
  const encode = (name: string, decision: HookDecision) => gemini.encode(decoded(load(name)), decision);

  test("an empty object when there is nothing to say", () => {
    for (const name of names) expect(encode(name, { kind: "none" })).toBe("{}");
  });

  test("after a tool, context under the event's own name: a decision would replace the tool's result", () => {
    expect(encode("AfterTool", context)).toBe(
      '{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"fix \\"x\\"\\n& ü"}}',
    );
  });

  test("at the end of a turn, a block with its reason and no other field", () => {
    expect(encode("AfterAgent", block)).toBe('{"decision":"block","reason":"fix \\"x\\"\\n& ü"}');
  });

  test("what an event cannot carry is refused, never sent in another shape", () => {
    for (const name of names) {
      const { channel } = decoded(load(name));
      for (const decision of [block, context])
        if (decision.kind !== channel) expect(() => encode(name, decision)).toThrow("cannot carry");
    }
    expect(() => encode("AfterAgent", { kind: "block", text: " \n" })).toThrow("empty text");
  });
});

test("what Gemini CLI is given to read: its own event names, milliseconds, a name, a guard", () => {
  expect(gemini.registrations).toEqual([
    { event: "BeforeTool", matcher: "run_shell_command" },
    { event: "AfterTool", matcher: "run_shell_command" },
    { event: "AfterAgent" },
  ]);
  expect(gemini.config).toEqual({
    directoryVariable: "GEMINI_CLI_HOME",
    belowVariable: ".gemini",
    directory: ".gemini",
    file: "settings.json",
    format: "nested-json",
    comments: true,
    timeoutUnit: "milliseconds",
    timeoutRange: { min: 1_000, max: 30_000 },
    entryFields: { name: "roborev" },
    guard: "if-present",
  });
});
