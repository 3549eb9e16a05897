import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { droid } from "../../src/harness/droid.ts";
import type { HookDecision, HookEvent, HookEventName } from "../../src/harness/harness.ts";

// Captured from Factory Droid 0.225.2; Notification, SubagentStop and UserPromptSubmit written from its own text.
const fixtures = join(import.meta.dir, "../fixtures/harness/droid");
const names = readdirSync(fixtures).map((file) => basename(file, ".json"));
const load = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8"));

function decoded(payload: Record<string, unknown>): HookEvent {
  const result = droid.decode(payload);
  if (result.kind !== "event") throw new Error(JSON.stringify(result));
  return result.event;
}

const event = (name: HookEventName, more: Partial<HookEvent> = {}): HookEvent => ({
  event: name,
  nativeEvent: name,
  sessionId: "00000000-0000-4000-8000-000000000001",
  cwd: "/home/user/repo",
  ...more,
});
const shell = { tool: "Bash", command: "git commit --allow-empty -m x" };
const after = { ...shell, channel: "context" } as const;
const turnEnd = { channel: "block", endsTurn: true, stopHookActive: false } as const;

const expected: Record<string, HookEvent> = {
  Notification: event("Notification"),
  PostToolUse: event("PostToolUse", after),
  "PostToolUse.background": event("PostToolUse", {
    ...after,
    command: "sleep 2; git commit --allow-empty -m bg",
    background: true,
  }),
  PreToolUse: event("PreToolUse", shell),
  SessionEnd: event("SessionEnd"),
  SessionStart: event("SessionStart"),
  Stop: event("Stop", turnEnd),
  "Stop.active": event("Stop", { ...turnEnd, stopHookActive: true }),
  SubagentStop: event("SubagentStop", { stopHookActive: false }),
  UserPromptSubmit: event("UserPromptSubmit"),
};

describe("what Factory Droid sends", () => {
  test.each(names)("%s decodes to the canonical event", (name) => {
    expect(decoded(load(name))).toEqual(expected[name] as HookEvent);
  });

  test("Bash is no tool of its own, Execute in any casing is the shell", () => {
    const payload = load("PreToolUse");
    expect(decoded({ ...payload, tool_name: "execute" })).toEqual(expected.PreToolUse as HookEvent);
    expect(decoded({ ...payload, tool_name: "Bash" })).toEqual(event("PreToolUse", { tool: "Bash" }));
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["Stop", { session_id: 5 }, "session_id is not a string"],
    ["PreToolUse", { tool_name: undefined }, "tool_name is missing"],
    ["PreToolUse", { tool_input: "git commit" }, "tool_input is not an object"],
  ])("%s with %j is malformed: %s", (name, change, problem) => {
    expect(droid.decode({ ...load(name), ...change })).toEqual({ kind: "malformed", problem });
  });

  test("what the tool answered may be text, an object or missing", () => {
    for (const response of [undefined, null, "", { output: "x" }]) {
      const payload = { ...load("PostToolUse"), tool_response: response };
      expect(decoded(payload)).toEqual(expected.PostToolUse as HookEvent);
    }
  });

  test("no session id means no session; a payload of Grok Build is foreign", () => {
    expect(droid.decode({ ...load("Stop"), session_id: null })).toEqual({ kind: "anonymous" });
    expect(droid.decode({ ...load("Stop"), workspaceRoot: "/r" }).kind).toBe("foreign");
  });
});

describe("what Factory Droid is told", () => {
  const text = 'fix "x"\n& ü';
  const block: HookDecision = { kind: "block", text };
  const context: HookDecision = { kind: "context", text };
  const encode = (name: string, decision: HookDecision) => droid.encode(decoded(load(name)), decision);

  test("an empty object when there is nothing to say", () => {
    for (const name of names) expect(encode(name, { kind: "none" })).toBe("{}");
  });

  test("after a tool, context below hookSpecificOutput, as a decision there is thrown away", () => {
    expect(encode("PostToolUse", context)).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"fix \\"x\\"\\n& ü"}}',
    );
  });

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

test("what Factory Droid is given to read: an event map without a wrapper, guarded, below the folder it can be moved to", () => {
  expect(droid.registrations).toEqual([
    { event: "PreToolUse", matcher: "Execute" },
    { event: "PostToolUse", matcher: "Execute" },
    { event: "Stop" },
  ]);
  expect(droid.config).toMatchObject({
    directoryVariable: "FACTORY_HOME_OVERRIDE",
    belowVariable: ".factory",
    directory: ".factory",
    file: "hooks.json",
    format: "nested-json",
    bareEventMap: true,
    timeoutUnit: "seconds",
    guard: "or-empty",
  });
  expect(droid.legacy).toBe("own-agent-flag");
  expect(droid.malformedExit).toBe(0);
});
