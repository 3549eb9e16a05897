import { describe, expect, test } from "bun:test";
import type { HookEvent } from "../../src/harness/harness.ts";
import { hermes } from "../../src/harness/hermes.ts";
import { runInProcess } from "../hook/world.ts";
import { native } from "./native.ts";

// Captured from the loop of Hermes Agent 0.20.0.
const { names, load, decoded } = native(hermes, "hermes");

const session = "20261130_120000_abc123";
const childSession = "20261130_212332_ae9b51";
const turnId = `${session}:27df2406-7ce0-4109-818a-adbf237630f7:13577eb8`;
const child = {
  sessionId: childSession,
  turnId: `${childSession}:sa-0-e06b5deb:9800a7c5`,
  agentId: "sa-0-e06b5deb",
};
const shell = {
  tool: "Bash",
  command: "git commit -q --allow-empty -m one && git rev-parse HEAD",
  toolUseId: "call_1",
};
const childShell = {
  ...child,
  ...shell,
  command: "git commit -q --allow-empty -m child",
  toolUseId: "call_4",
};

const expected: Record<string, Partial<HookEvent> & Pick<HookEvent, "event">> = {
  on_session_end: { event: "Stop", turnId, endsTurn: true },
  "on_session_end.child": { event: "Stop", ...child },
  "on_session_start.child": { event: "SessionStart", sessionId: childSession, agentId: childSession },
  post_llm_call: { event: "Other", turnId },
  post_tool_call: { event: "PostToolUse", turnId, ...shell },
  "post_tool_call.child": { event: "PostToolUse", ...childShell },
  "post_tool_call.failing_command": {
    event: "PostToolUse",
    turnId: `${session}:4a6f153c-2ba9-4531-8a8d-2d54c483411b:ae17ac18`,
    ...shell,
    command: "false",
  },
  "pre_llm_call.child": { event: "UserPromptSubmit", channel: "context", ...child },
  "pre_llm_call.first_turn": { event: "UserPromptSubmit", channel: "context", turnId },
  "pre_llm_call.second_turn": {
    event: "UserPromptSubmit",
    channel: "context",
    turnId: `${session}:aa1a8050-08f7-477f-8c9e-006d40151825:ef8ce1b7`,
  },
  pre_tool_call: { event: "PreToolUse", turnId, ...shell },
  "pre_tool_call.child": { event: "PreToolUse", ...childShell },
  "pre_tool_call.execute_code_nested": {
    event: "PreToolUse",
    tool: "Bash",
    command: "git commit -q --allow-empty -m incode",
  },
  "pre_verify.attempt0": { event: "Stop", channel: "block" },
  "pre_verify.attempt1": { event: "Stop", channel: "block" },
  subagent_start: { event: "SubagentStart" },
  subagent_stop: { event: "SubagentStop" },
};

describe("Hermes Agent decodes", () => {
  test("every payload that is known", () => expect(names).toEqual(Object.keys(expected).sort()));

  test.each(names)("%s to exactly its canonical event", (name) => {
    const nativeEvent = name.split(".")[0] as string;
    const event = decoded(load(name), { HERMES_SESSION_ID: session });
    expect(event).toEqual({
      nativeEvent,
      sessionId: session,
      cwd: "/src/repo",
      ...expected[name],
    } as HookEvent);
  });

  test("a command inside execute_code as one of the session that the environment names", () => {
    const nested = load("pre_tool_call.execute_code_nested");
    for (const environment of [undefined, {}, { HERMES_SESSION_ID: " " }])
      expect(hermes.decode(nested, environment)).toEqual({ kind: "anonymous" });
    expect(decoded(load("pre_tool_call"), { HERMES_SESSION_ID: "another" }).sessionId).toBe(session);
  });

  test("a refused call as one that ran nothing", () => {
    const blocked = load("post_tool_call");
    blocked.extra = { ...(blocked.extra as object), status: "blocked", result: '{"error": "no"}' };
    expect(decoded(blocked)).toMatchObject({ event: "PostToolUse", tool: "Bash", command: "" });
  });

  test.each([
    { completed: false },
    { completed: null },
    { interrupted: true },
    { platform: "subagent" },
    { task_id: "sa-1-x" },
  ])("the end of a turn with %j as none of the user's", (change) => {
    const end = load("on_session_end");
    end.extra = { ...(end.extra as object), ...change };
    expect(decoded(end)).not.toHaveProperty("endsTurn");
  });

  test("a check before the end inside a sub-agent as the sub-agent's", () => {
    const verify = load("pre_verify.attempt0");
    verify.extra = { ...(verify.extra as object), platform: "subagent" };
    expect(decoded(verify).agentId).toBe(session);
  });

  test("the directory and the background that the tool was asked for", () => {
    const input = { command: "git commit", workdir: "sub", background: true, timeout: null };
    expect(decoded({ ...load("pre_tool_call"), tool_input: input })).toMatchObject({
      toolDirectory: "sub",
      background: true,
    });
  });

  test("event names in any casing, and tools only in their own", () => {
    expect(decoded({ ...load("pre_verify.attempt0"), hook_event_name: "Pre_Verify" })).toMatchObject({
      event: "Stop",
      channel: "block",
    });
    expect(decoded({ ...load("pre_tool_call"), tool_name: "read_file" })).not.toHaveProperty("command");
  });

  test("a payload without extra", () => {
    for (const extra of [undefined, null, [], "x"])
      expect(decoded({ ...load("pre_verify.attempt0"), extra })).toMatchObject({
        event: "Stop",
        channel: "block",
      });
  });

  test.each([
    ["pre_tool_call", { session_id: 5 }, "session_id is not a string"],
    ["pre_tool_call", { tool_name: null }, "tool_name is missing"],
    ["pre_tool_call", { tool_input: null }, "tool_input is not an object"],
  ])("%s with %j as malformed", (name, change, problem) => {
    expect(hermes.decode({ ...load(name), ...change })).toEqual({ kind: "malformed", problem });
  });
});

describe("Hermes Agent is answered", () => {
  const verify = { event: "Stop", nativeEvent: "pre_verify" } as const;
  const prompt = { event: "UserPromptSubmit", nativeEvent: "pre_llm_call" } as const;
  const end = { event: "Stop", nativeEvent: "on_session_end" } as const;
  const after = { event: "PostToolUse", nativeEvent: "post_tool_call" } as const;
  const text = 'say "hi"\n</x> ü';

  test("with an empty object when there is nothing to say", () => {
    for (const event of [verify, prompt, end, after])
      expect(hermes.encode(event, { kind: "none" })).toBe("{}");
  });

  test("before the end of a turn with a block", () => {
    expect(hermes.encode(verify, { kind: "block", text })).toBe(
      '{"decision":"block","reason":"say \\"hi\\"\\n</x> ü"}',
    );
  });

  test("at the user's next message with context", () => {
    expect(hermes.encode(prompt, { kind: "context", text })).toBe('{"context":"say \\"hi\\"\\n</x> ü"}');
  });

  test("nowhere else, and never with an empty text", () => {
    for (const event of [end, after])
      for (const kind of ["block", "context"] as const)
        expect(() => hermes.encode(event, { kind, text })).toThrow("cannot carry");
    expect(() => hermes.encode(verify, { kind: "context", text })).toThrow(
      "pre_verify cannot carry a context",
    );
    expect(() => hermes.encode(prompt, { kind: "block", text })).toThrow("pre_llm_call cannot carry a block");
    expect(() => hermes.encode(verify, { kind: "block", text: " " })).toThrow("empty text");
  });

  test("with an empty object and success when its history is larger than anything that is read", async () => {
    const payload = load("pre_llm_call.second_turn");
    payload.extra = { ...(payload.extra as object), user_message: "x".repeat(16 * 1024 * 1024) };
    const answer = await runInProcess({ args: ["--agent", "hermes"], input: JSON.stringify(payload) });
    expect(answer).toMatchObject({ stdout: "{}", exitCode: 0, calls: [] });
  });
});

test("Hermes Agent registers what delivers and what counts, and cuts no time-out short (D22)", () => {
  expect(hermes.registrations).toEqual([
    { event: "pre_tool_call", matcher: "terminal" },
    { event: "post_tool_call", matcher: "terminal" },
    { event: "pre_verify" },
    { event: "pre_llm_call" },
    { event: "on_session_end" },
  ]);
  expect(hermes.config.timeoutRange).toEqual({ min: 1, max: 300 });
});
