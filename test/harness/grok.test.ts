import { describe, expect, test } from "bun:test";
import { grok } from "../../src/harness/grok.ts";
import type { HookEvent } from "../../src/harness/harness.ts";
import { native, type Payload } from "./native.ts";

// Captured from Grok Build 1.0.41 and 1.0.5.
const { names, load, decoded } = native(grok, "grok");
const old = native(grok, "grok/v1.0.5");

type Expected = Partial<HookEvent> & Pick<HookEvent, "event">;

const commit = {
  tool: "Bash",
  command: "git commit -q --allow-empty -m one && git rev-parse HEAD",
  toolUseId: "call_1",
};
const session = { sessionId: "01a22e73-9f1e-7eb0-a52e-14c6a4e15ed6" };
const background = { sessionId: "01a22e70-33f1-7462-980b-926bb4730a31" };
const child = {
  sessionId: "01a22e70-275d-73d2-983e-baef300d1131",
  agentId: "01a22e70-275d-73d2-983e-baef300d1131",
};
const childShell = {
  ...child,
  tool: "Bash",
  command: "git commit -q --allow-empty -m child",
  toolUseId: "call_3",
};
const childTurn = { turnId: "01a22e70-27a1-75b2-8c29-113c6af8c401" };
const turn = { turnId: "b645e234-42a8-4793-9098-7433c066ae06" };
const turnEnd = { channel: "block", endsTurn: true } as const;

const expected: Record<string, Expected> = {
  "Notification.agent_error": { event: "Notification" },
  "Notification.task_complete": { event: "Notification", ...background },
  PermissionDenied: {
    event: "Other",
    sessionId: "01a22e73-d59b-7500-9472-f8e1366aa3ff",
    toolUseId: "call_1",
  },
  PostToolUse: { event: "PostToolUse", ...commit, channel: "context" },
  "PostToolUse.background": {
    event: "PostToolUse",
    ...background,
    ...commit,
    command: "sleep 1; git commit -q --allow-empty -m bg",
    background: true,
    channel: "context",
  },
  "PostToolUse.search_replace": {
    event: "PostToolUse",
    tool: "search_replace",
    toolUseId: "call_5",
    channel: "context",
  },
  "PostToolUse.search_replace_error": {
    event: "PostToolUse",
    tool: "search_replace",
    toolUseId: "call_2",
    channel: "context",
  },
  "PostToolUse.subagent": { event: "PostToolUse", ...childShell, channel: "context" },
  PreCompact: { event: "PreCompact" },
  PreToolUse: { event: "PreToolUse", ...commit },
  "PreToolUse.subagent": { event: "PreToolUse", ...childShell },
  SessionEnd: { event: "SessionEnd" },
  "SessionEnd.subagent": { event: "SessionEnd", ...child },
  "SessionStart.load": { event: "SessionStart" },
  "SessionStart.new": { event: "SessionStart" },
  "Stop.end_turn": { event: "Stop", ...turn, stopHookActive: false, ...turnEnd },
  "Stop.reentry_after_block": {
    event: "Stop",
    sessionId: "01a22e6e-d494-71c0-b807-b7db2884d33c",
    turnId: "a3536f6e-0d9e-4807-8ded-fb5c65a06119",
    stopHookActive: true,
    ...turnEnd,
  },
  "Stop.shutdown": { event: "Stop", stopHookActive: false },
  "StopCancelled.prompt_blocked": {
    event: "Other",
    sessionId: "01a22e6f-6850-7940-ba94-891c4bce1053",
    turnId: "1f7f4736-f814-4acd-b6e3-045c26780a72",
  },
  StopFailure: { event: "Other", turnId: "c3de2775-a91c-4476-920e-db0224c73dcb" },
  SubagentStart: {
    event: "SubagentStart",
    sessionId: "01a22e70-25f9-71e1-b6e0-e6f01da36b7a",
    agentId: child.agentId,
  },
  SubagentStop: { event: "SubagentStop", ...child, ...childTurn, stopHookActive: false },
  "UserPromptSubmit.auto_wake": {
    event: "UserPromptSubmit",
    ...background,
    turnId: "task-completed-01a22e70-35bd-7610-8257-90170e12ebd3",
    wakeUp: true,
  },
  "UserPromptSubmit.first": { event: "UserPromptSubmit", ...turn },
  "UserPromptSubmit.resumed": { event: "UserPromptSubmit", turnId: "238f0c85-0d9a-4c65-ab84-0e5f86df4663" },
  "UserPromptSubmit.subagent": { event: "UserPromptSubmit", ...child, ...childTurn },
};

const oldSession = { sessionId: "01a22e73-e0e2-7851-9b35-1ab08426c2ce" };
const oldTurn = { turnId: "3dc7b4e6-5026-4f16-bd6d-dad9c2c3658e" };
const expectedOld: Record<string, Expected> = {
  // What a hook answers here is dropped, so the reminder waits for the turn's end.
  post_tool_use: { event: "PostToolUse", ...commit },
  pre_compact: { event: "PreCompact" },
  pre_tool_use: { event: "PreToolUse", ...commit },
  session_end: { event: "SessionEnd" },
  session_start: { event: "SessionStart" },
  stop: { event: "Stop", ...oldTurn, stopHookActive: false, ...turnEnd },
  "stop.reentry": {
    event: "Stop",
    sessionId: "01a22e6e-dc4e-7f80-8830-b6da42f555b5",
    turnId: "e800fb0a-163a-482f-a85c-a8f511272254",
    stopHookActive: true,
    ...turnEnd,
  },
  user_prompt_submit: { event: "UserPromptSubmit", ...oldTurn },
};

const without = (payload: Payload, field: string): Payload => {
  const { [field]: _, ...rest } = payload;
  return rest;
};

describe("Grok Build decodes", () => {
  test("every payload that is known", () => {
    expect(names).toEqual(Object.keys(expected).sort());
    expect(old.names).toEqual(Object.keys(expectedOld).sort());
  });

  test.each(names)("%s of 1.0.41 to exactly its canonical event", (name) => {
    const nativeEvent = name.split(".")[0] as string;
    expect(decoded(load(name))).toEqual({
      nativeEvent,
      cwd: "/src/repo",
      ...session,
      ...expected[name],
    } as HookEvent);
  });

  test.each(old.names)("%s of 1.0.5 to exactly its canonical event", (name) => {
    const nativeEvent = name.split(".")[0] as string;
    expect(old.decoded(old.load(name))).toEqual({
      nativeEvent,
      cwd: "/src/repo",
      ...oldSession,
      ...expectedOld[name],
    } as HookEvent);
  });

  test("a result under Claude Code's name as a host that hears the answer, also when the result was cut (scenario W1)", () => {
    const after = load("PostToolUse");
    expect(decoded({ ...after, tool_response: "{… [truncated]" }).channel).toBe("context");
    for (const payload of [without(after, "tool_response"), { ...after, tool_response: null }])
      expect(decoded(payload)).not.toHaveProperty("channel");
  });

  test("only a Stop that ends a turn as one (W5)", () => {
    const stop = load("Stop.end_turn");
    expect(decoded(without(stop, "reason"))).toMatchObject(turnEnd);
    for (const reason of ["shutdown", "channel_closed", "anything"]) {
      const event = decoded({ ...stop, reason });
      expect(event).not.toHaveProperty("channel");
      expect(event).not.toHaveProperty("endsTurn");
    }
  });

  test.each(["run_terminal_command", "run_terminal_cmd", "Bash", "bash"])("%s as the shell", (tool) => {
    expect(decoded({ ...load("PreToolUse"), tool_name: tool })).toMatchObject(commit);
  });

  test("an input that was cut for its size as text in which a commit can be found", () => {
    const input = '{"command":"cat > big <<X … && git commit -m x [truncated]';
    const after = { ...load("PostToolUse"), tool_input: input, toolInput: input, toolInputTruncated: true };
    expect(decoded(after)).toMatchObject({ tool: "Bash", command: input });
  });

  test("the workspace where there is no directory", () => {
    expect(decoded({ ...load("PreToolUse"), cwd: "" }).cwd).toBe("/src/repo/");
  });

  test("a session in either spelling, and none", () => {
    const stop = load("Stop.end_turn");
    expect(decoded(without(stop, "session_id"))).toMatchObject(session);
    expect(grok.decode(without(without(stop, "session_id"), "sessionId"))).toEqual({ kind: "anonymous" });
  });

  test.each([
    [{ session_id: 5 }, "session_id is not a string"],
    [{ tool_name: null, toolName: null }, "tool_name is missing"],
    [{ tool_input: [], toolInput: [] }, "tool_input is not an object"],
    [{ stopHookActive: "no" }, "stopHookActive is not true or false"],
  ])("%j as malformed: %s", (change, problem) => {
    expect(grok.decode({ ...load("PreToolUse"), ...change })).toEqual({ kind: "malformed", problem });
  });
});

describe("Grok Build is answered", () => {
  const stop = { event: "Stop", nativeEvent: "Stop" } as const;
  const after = { event: "PostToolUse", nativeEvent: "post_tool_use" } as const;
  const before = { event: "PreToolUse", nativeEvent: "PreToolUse" } as const;
  const prompt = { event: "UserPromptSubmit", nativeEvent: "UserPromptSubmit" } as const;
  const text = 'say "hi"\n</x> ü';

  test("with an empty object when there is nothing to say", () => {
    for (const event of [stop, after, before, prompt])
      expect(grok.encode(event, { kind: "none" })).toBe("{}");
  });

  test("at a Stop with a block", () => {
    expect(grok.encode(stop, { kind: "block", text })).toBe(
      '{"decision":"block","reason":"say \\"hi\\"\\n</x> ü"}',
    );
  });

  test("after a tool with context, in the words of later versions", () => {
    expect(grok.encode(after, { kind: "context", text })).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"say \\"hi\\"\\n</x> ü"}}',
    );
  });

  test("nowhere else, and never with an empty text", () => {
    for (const event of [before, prompt])
      for (const kind of ["block", "context"] as const)
        expect(() => grok.encode(event, { kind, text })).toThrow("cannot carry");
    expect(() => grok.encode(stop, { kind: "context", text })).toThrow("Stop cannot carry a context");
    expect(() => grok.encode(after, { kind: "block", text })).toThrow("PostToolUse cannot carry a block");
    expect(() => grok.encode(stop, { kind: "block", text: "" })).toThrow("empty text");
  });
});

test("Grok Build matches its shell by every name it has had, and tells its own prompts from the user's", () => {
  const matcher = "Bash|bash|run_terminal_command|run_terminal_cmd";
  expect(grok.registrations).toEqual([
    { event: "PreToolUse", matcher },
    { event: "PostToolUse", matcher },
    { event: "Stop" },
    { event: "UserPromptSubmit" },
  ]);
});
