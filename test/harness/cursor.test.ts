import { describe, expect, test } from "bun:test";
import { cursor } from "../../src/harness/cursor.ts";
import type { HookEvent } from "../../src/harness/harness.ts";
import { native } from "./native.ts";

const { names, load, decoded } = native(cursor, "cursor");

// What all fixtures have in common; the native name is the file's.
const common = {
  sessionId: "5f0c2a1e-7d44-4d0e-9a60-2f8f7c1b9d11",
  turnId: "c1d2e3f4-0000-4a4a-8b8b-0123456789ab",
  cwd: "/src/repo",
};
const shell = { tool: "Bash", command: "git commit -m one", toolUseId: "tool_01" };
const expected: Record<string, Partial<HookEvent> & Pick<HookEvent, "event">> = {
  afterAgentResponse: { event: "Other" },
  afterShellExecution: { event: "Other" },
  beforeShellExecution: { event: "Other" },
  beforeSubmitPrompt: { event: "UserPromptSubmit" },
  "postToolUse.Shell": { event: "PostToolUse", ...shell },
  "postToolUseFailure.Shell": {
    event: "PostToolUseFailure",
    ...shell,
    command: "sleep 100",
    toolUseId: "tool_02",
  },
  preCompact: { event: "PreCompact" },
  "preToolUse.Shell": { event: "PreToolUse", ...shell, toolDirectory: "/src/repo" },
  "preToolUse.Task": { event: "PreToolUse", tool: "Task", toolUseId: "tool_03" },
  sessionEnd: { event: "SessionEnd" },
  sessionStart: { event: "SessionStart" },
  "stop.completed": { event: "Stop", channel: "block", endsTurn: true },
  "stop.error": { event: "Stop" },
  "stop.followup_round": { event: "Stop", turnId: "c1d2e3f4-0000-4a4a-8b8b-0123456789ac" },
  subagentStart: { event: "SubagentStart" },
  subagentStop: { event: "SubagentStop" },
};

describe("Cursor decodes", () => {
  test("every payload that is known", () => expect(names).toEqual(Object.keys(expected).sort()));

  test.each(names)("%s to exactly its canonical event", (name) => {
    const nativeEvent = name.split(".")[0] as string;
    expect(decoded(load(name))).toEqual({ nativeEvent, ...common, ...expected[name] } as HookEvent);
  });

  test("the first workspace root where there is no directory", () => {
    const stop = load("stop.completed");
    expect(decoded({ ...stop, cwd: "", workspace_roots: ["/a", "/b"] }).cwd).toBe("/a");
    expect(decoded({ ...stop, cwd: "/c", workspace_roots: ["/a"] }).cwd).toBe("/c");
    for (const roots of [[], [7], [""], null, "x", { 0: "/a" }])
      expect(decoded({ ...stop, workspace_roots: roots })).not.toHaveProperty("cwd");
  });

  test.each([
    { status: "aborted" },
    { status: "error" },
    { status: null },
    { loop_count: 1 },
    { loop_count: 5 },
    { loop_count: "0" },
  ])("a stop with %j as neither a turn nor a chance to speak", (change) => {
    const event = decoded({ ...load("stop.completed"), ...change });
    expect(event).not.toHaveProperty("channel");
    expect(event).not.toHaveProperty("endsTurn");
  });

  test("its own payload, which is foreign to every other profile, as its own", () => {
    expect(cursor.decode(load("stop.completed")).kind).toBe("event");
  });

  test("no session where no conversation is named", () => {
    const stop = load("stop.completed");
    expect(cursor.decode({ ...stop, conversation_id: " " })).toEqual({ kind: "anonymous" });
    expect(cursor.decode({ ...stop, conversation_id: null, session_id: "s" })).toMatchObject({
      event: { sessionId: "s" },
    });
  });

  test.each([
    ["stop.completed", { conversation_id: 5 }, "conversation_id is not a string"],
    ["stop.completed", { conversation_id: "x".repeat(513) }, "conversation_id is too long"],
    ["preToolUse.Shell", { tool_name: null }, "tool_name is missing"],
    ["preToolUse.Shell", { tool_input: "git commit" }, "tool_input is not an object"],
  ])("%s with %j as malformed, which never hurts the session", (name, change, problem) => {
    expect(cursor.decode({ ...load(name), ...change })).toEqual({ kind: "malformed", problem });
    expect(cursor.malformedExit).toBe(0);
  });
});

describe("Cursor is answered", () => {
  const stop = { event: "Stop", nativeEvent: "stop" } as const;
  const after = { event: "PostToolUse", nativeEvent: "postToolUse" } as const;
  const prompt = { event: "UserPromptSubmit", nativeEvent: "beforeSubmitPrompt" } as const;
  const text = 'say "hi"\n</x> ü';

  test("with an empty object when there is nothing to say", () => {
    for (const event of [stop, after, prompt]) expect(cursor.encode(event, { kind: "none" })).toBe("{}");
  });

  test("at a stop with a follow-up and no other field", () => {
    expect(cursor.encode(stop, { kind: "block", text })).toBe('{"followup_message":"say \\"hi\\"\\n</x> ü"}');
  });

  test("nowhere else, and never with an empty text", () => {
    for (const event of [after, prompt])
      for (const kind of ["block", "context"] as const)
        expect(() => cursor.encode(event, { kind, text })).toThrow("cannot carry");
    expect(() => cursor.encode(stop, { kind: "context", text })).toThrow("Stop cannot carry a context");
    expect(() => cursor.encode(stop, { kind: "block", text: " \n" })).toThrow("empty text");
  });

  test("only if the user asked for follow-ups, and no entry can block a session (scenario 117, W2)", () => {
    expect(cursor.optIn).toBe("cursor_followup");
    expect(cursor.config.entryFields).toBeUndefined();
  });
});
