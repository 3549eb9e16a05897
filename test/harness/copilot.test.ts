import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { copilot } from "../../src/harness/copilot.ts";
import type { HookDecision, HookEvent, HookEventName } from "../../src/harness/harness.ts";

// Captured from GitHub Copilot CLI 1.0.102; `copilot-camel` under event names in camelCase.
const fixtures = join(import.meta.dir, "../fixtures/harness");
const namesIn = (folder: string) =>
  readdirSync(join(fixtures, folder)).map((file) => basename(file, ".json"));
const load = (name: string, folder = "copilot"): Record<string, unknown> =>
  JSON.parse(readFileSync(join(fixtures, folder, `${name}.json`), "utf8"));

function decoded(payload: Record<string, unknown>): HookEvent {
  const result = copilot.decode(payload);
  if (result.kind !== "event") throw new Error(JSON.stringify(result));
  return result.event;
}

const session = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const event = (nativeEvent: string, name: HookEventName, more: Partial<HookEvent> = {}): HookEvent => ({
  event: name,
  nativeEvent,
  sessionId: session(1),
  cwd: "/home/user/repo",
  ...more,
});
const shell = { tool: "Bash", command: "git commit --allow-empty -m x" };
const after = { ...shell, channel: "context" } as const;
const turnEnd = { channel: "block", endsTurn: true, stopHookActive: false } as const;
/** What sub-agent 1 does belongs to session 2, which started it. */
const child = { agentId: session(1), sessionId: session(2) };
const childShell = { ...child, tool: "Bash", command: "git commit --allow-empty -m sub" };

const expected: Record<string, HookEvent> = {
  ErrorOccurred: event("ErrorOccurred", "Other"),
  Notification: event("Notification", "Notification"),
  PermissionRequest: event("permissionRequest", "PermissionRequest"),
  PostToolUse: event("PostToolUse", "PostToolUse", after),
  "PostToolUse.background": event("PostToolUse", "PostToolUse", {
    ...after,
    command: "sleep 2; git commit --allow-empty -m bg",
    background: true,
  }),
  "PostToolUse.still-running": event("PostToolUse", "PostToolUse", {
    ...after,
    command: "sleep 33; git commit --allow-empty -m slow",
    background: true,
  }),
  "PostToolUse.subagent": event("PostToolUse", "PostToolUse", { ...childShell, channel: "context" }),
  PostToolUseFailure: event("PostToolUseFailure", "PostToolUseFailure", { tool: "Read" }),
  PreCompact: event("PreCompact", "PreCompact"),
  PreToolUse: event("PreToolUse", "PreToolUse", shell),
  "PreToolUse.subagent": event("PreToolUse", "PreToolUse", childShell),
  // Started by a sub-agent itself, which is all that is named.
  "PreToolUse.nested-subagent": event("PreToolUse", "PreToolUse", {
    ...childShell,
    command: "git commit --allow-empty -m subsub",
  }),
  SessionEnd: event("SessionEnd", "SessionEnd"),
  SessionStart: event("SessionStart", "SessionStart"),
  Stop: event("Stop", "Stop", turnEnd),
  "Stop.active": event("Stop", "Stop", { ...turnEnd, stopHookActive: true }),
  // Neither the end of a turn nor a place where an answer arrives.
  "Stop.subagent": event("Stop", "Stop", { ...child, stopHookActive: false }),
  SubagentStop: event("SubagentStop", "SubagentStop", { ...child, stopHookActive: false }),
  "SubagentStop.nested": event("SubagentStop", "SubagentStop", { ...child, stopHookActive: false }),
  UserPromptSubmit: event("UserPromptSubmit", "UserPromptSubmit"),
  "UserPromptSubmit.notification": event("UserPromptSubmit", "UserPromptSubmit"),
  "UserPromptSubmit.subagent": event("UserPromptSubmit", "UserPromptSubmit", child),
};

const expectedCamel: Record<string, HookEvent> = {
  ErrorOccurred: event("errorOccurred", "Other"),
  Notification: event("Notification", "Notification"),
  PostToolUse: event("postToolUse", "PostToolUse", after),
  "PostToolUse.exit1": event("postToolUse", "PostToolUse", { ...after, command: "false" }),
  "PostToolUse.subagent": event("postToolUse", "PostToolUse", { ...childShell, channel: "context" }),
  PreToolUse: event("preToolUse", "PreToolUse", shell),
  "PreToolUse.subagent": event("preToolUse", "PreToolUse", childShell),
  SessionEnd: event("sessionEnd", "SessionEnd"),
  "SessionEnd.error": event("sessionEnd", "SessionEnd"),
  SessionStart: event("sessionStart", "SessionStart"),
  Stop: event("agentStop", "Stop", turnEnd),
  "Stop.active": event("agentStop", "Stop", { ...turnEnd, stopHookActive: true }),
  SubagentStop: event("subagentStop", "SubagentStop", { ...child, stopHookActive: false }),
  UserPromptSubmit: event("userPromptSubmitted", "UserPromptSubmit"),
};

describe("what GitHub Copilot CLI sends", () => {
  test.each(namesIn("copilot"))("%s decodes to the canonical event", (name) => {
    expect(decoded(load(name))).toEqual(expected[name] as HookEvent);
  });

  test.each(namesIn("copilot-camel"))("%s under a name in camelCase is told by its shape", (name) => {
    expect(decoded(load(name, "copilot-camel"))).toEqual(expectedCamel[name] as HookEvent);
  });

  test.each(["Bash", "bash", "powershell", "PowerShell"])("%s is the shell tool", (tool) => {
    expect(decoded({ ...load("PreToolUse"), tool_name: tool })).toEqual(expected.PreToolUse as HookEvent);
  });

  test("another tool keeps its name and shows no command", () => {
    const payload = { ...load("PreToolUse"), tool_name: "write_bash" };
    expect(decoded(payload)).toEqual(event("PreToolUse", "PreToolUse", { tool: "write_bash" }));
  });

  test("arguments may come as JSON text, an unreadable one is malformed", () => {
    const payload = load("PreToolUse", "copilot-camel");
    payload.toolArgs = JSON.stringify(payload.toolArgs);
    expect(decoded(payload)).toEqual(expectedCamel.PreToolUse as HookEvent);
    expect(copilot.decode({ ...payload, toolArgs: "{" })).toEqual({
      kind: "malformed",
      problem: "toolArgs is not JSON",
    });
    expect(copilot.decode({ ...payload, toolArgs: null }).kind).toBe("malformed");
  });

  test("a tool that broke is told by its error", () => {
    const payload = { ...load("PreToolUse", "copilot-camel"), error: "no such tool" };
    expect(decoded(payload)).toEqual(event("postToolUseFailure", "PostToolUseFailure", shell));
  });

  test("a payload of no shape that we know is an event that we do not know", () => {
    expect(decoded({ sessionId: "s" })).toEqual({ event: "Other", nativeEvent: "", sessionId: "s" });
  });

  test("a sub-agent that names no parent is counted under its own session", () => {
    for (const parent of [undefined, null, ""]) {
      const payload = { ...load("PreToolUse.subagent"), parent_agent_id: parent };
      expect(decoded(payload)).toEqual(
        event("PreToolUse", "PreToolUse", { ...childShell, sessionId: session(1) }),
      );
    }
  });

  test("output that is kept elsewhere, of another kind or missing says nothing of the background", () => {
    for (const result of [undefined, null, "text", {}, { text_result_for_llm: 5 }]) {
      const payload = { ...load("PostToolUse"), tool_result: result };
      expect(decoded(payload)).toEqual(expected.PostToolUse as HookEvent);
    }
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["Stop", { session_id: 5 }, "session_id is not a string"],
    ["Stop", { session_id: "x".repeat(513) }, "session_id is too long"],
    ["Stop.subagent", { parent_agent_id: 5 }, "parent_agent_id is not a string"],
    ["Stop.subagent", { parent_agent_id: "x".repeat(513) }, "parent_agent_id is too long"],
    ["PreToolUse", { tool_name: undefined }, "tool_name is missing"],
    ["PreToolUse", { tool_input: "git commit" }, "tool_input is not an object"],
  ])("%s with %j is malformed: %s", (name, change, problem) => {
    expect(copilot.decode({ ...load(name), ...change })).toEqual({ kind: "malformed", problem });
  });

  test("no session id means no session; a payload of Grok Build is foreign", () => {
    expect(copilot.decode({ ...load("Stop"), session_id: null })).toEqual({ kind: "anonymous" });
    expect(copilot.decode({ ...load("Stop"), workspaceRoot: "/r" }).kind).toBe("foreign");
  });
});

describe("what GitHub Copilot CLI is told", () => {
  const text = 'fix "x"\n& ü';
  const block: HookDecision = { kind: "block", text };
  const context: HookDecision = { kind: "context", text };
  const encode = (name: string, decision: HookDecision) => copilot.encode(decoded(load(name)), decision);

  test("an empty object when there is nothing to say", () => {
    for (const name of namesIn("copilot")) expect(encode(name, { kind: "none" })).toBe("{}");
  });

  test("after a tool, context at the top of the answer, where it is read", () => {
    expect(encode("PostToolUse", context)).toBe('{"additionalContext":"fix \\"x\\"\\n& ü"}');
  });

  test("at the end of a turn, a block with its reason and no other field", () => {
    expect(encode("Stop", block)).toBe('{"decision":"block","reason":"fix \\"x\\"\\n& ü"}');
  });

  test("what an event cannot carry is refused, never sent in another shape", () => {
    for (const name of namesIn("copilot")) {
      const { event: canonical } = decoded(load(name));
      if (canonical !== "Stop") expect(() => encode(name, block)).toThrow("cannot carry");
      if (canonical !== "PostToolUse") expect(() => encode(name, context)).toThrow("cannot carry");
    }
    expect(() => encode("Stop", { kind: "block", text: "" })).toThrow("empty text");
    expect(() => encode("PostToolUse", { kind: "context", text: "" })).toThrow("empty text");
  });
});

test("what GitHub Copilot CLI is given to read: both names of the shell, both shells, a guard against its denials", () => {
  expect(copilot.registrations).toEqual([
    { event: "PreToolUse", matcher: "bash|Bash" },
    { event: "PostToolUse", matcher: "bash|Bash" },
    { event: "Stop" },
  ]);
  expect(copilot.config).toEqual({
    directoryVariable: "COPILOT_HOME",
    directory: ".copilot",
    file: "hooks/agenthook.json",
    format: "direct-json",
    entryFields: { type: "command" },
    version: 1,
    timeoutField: "timeoutSec",
    timeoutUnit: "seconds",
    commandFields: ["bash", "powershell"],
    guard: "or-empty",
  });
  expect(copilot.malformedExit).toBe(0);
  expect(copilot.maxTextBytes).toBeLessThan(10_240);
});
