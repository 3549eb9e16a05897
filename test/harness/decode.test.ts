import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { HookEvent, HookEventName } from "../../src/harness/harness.ts";
import { loadHarness } from "../../src/harness/load.ts";
import { harnessNames } from "../../src/harness/names.ts";
import { findHarness, harnesses } from "../../src/harness/registry.ts";

const fixtures = join(import.meta.dir, "../fixtures/harness");
const installationOrder = [
  ...["claude", "codex", "copilot", "cursor", "droid", "gemini", "hermes", "qwen", "grok"],
];

type Payload = Record<string, unknown>;
type Expected = Partial<HookEvent>;

const load = (agent: string, name: string): Payload =>
  JSON.parse(readFileSync(join(fixtures, agent, `${name}.json`), "utf8"));

const decode = (agent: string, payload: Payload) => findHarness(agent)?.decode(payload);

function decoded(agent: string, payload: Payload): HookEvent {
  const result = decode(agent, payload);
  if (result?.kind !== "event") throw new Error(JSON.stringify(result));
  return result.event;
}

const others: Record<string, HookEventName> = { PostToolBatch: "Other", Interrupt: "Other" };
const commit = "git commit -q --allow-empty -m x && echo RIG-COMMITTED";
const shell = { tool: "Bash", toolUseId: "toolu_stub_0_0", command: commit };
const child = "00000000-0000-4000-8000-000000000003";

const expected: Record<string, Expected> = {
  "claude/PreToolUse": shell,
  "claude/PreToolUse.subagent": {
    ...shell,
    toolUseId: "toolu_stub_1_0",
    agentId: "a0000000000000001",
  },
  "claude/PostToolUse": shell,
  "claude/PostToolUse.agent-tool": { tool: "Agent", toolUseId: "toolu_stub_0_0" },
  "claude/PostToolUse.background": {
    ...shell,
    command: "sleep 1; git commit -q --allow-empty -m bg; echo bg-over",
    background: true,
  },
  "claude/PostToolUse.cd": {
    ...shell,
    cwd: "{{REPO}}/sub",
    command: "mkdir -p sub && cd sub && git -C .. commit -q --allow-empty -m x && pwd",
  },
  "claude/PostToolUseFailure": { ...shell, command: "echo out-text; echo err-text >&2; exit 3" },
  "claude/Stop": { stopHookActive: false },
  "claude/Stop.active": { stopHookActive: true },
  "claude/SubagentStop.active": { stopHookActive: true, agentId: "a0000000000000001" },
  "codex/PreToolUse": { ...shell, toolUseId: "call_stub_0_0" },
  "codex/PostToolUse": { ...shell, toolUseId: "call_stub_0_0" },
  "codex/PostToolUse.subagent": { ...shell, toolUseId: "call_stub_2_0", agentId: child },
  "codex/PostToolUse.spawn-agent": { tool: "spawn_agent", toolUseId: "call_stub_0_0" },
  "codex/PostToolUse.workdir": { ...shell, toolUseId: "call_stub_0_0", command: "pwd", cwd: "{{REPO}}/sub" },
  "codex/Stop": { stopHookActive: false },
  "codex/Stop.active": { stopHookActive: true },
};

describe.each(["claude", "codex"])("%s", (agent) => {
  const names = readdirSync(join(fixtures, agent)).map((file) => basename(file, ".json"));

  test.each(names)("%s decodes to the canonical event", (name) => {
    const native = name.split(".")[0] as string;
    const event = decoded(agent, load(agent, name));
    const hasTurn = !/^Session/.test(native);
    const full: HookEvent = {
      event: others[native] ?? (native as HookEventName),
      nativeEvent: native,
      sessionId: "00000000-0000-4000-8000-000000000001",
      cwd: "{{REPO}}",
      ...(hasTurn ? { turnId: "00000000-0000-4000-8000-000000000002" } : {}),
      ...(/^PostToolUse(Failure)?$/.test(native) ? { channel: "context" } : {}),
      ...(native === "Stop" ? { channel: "block", endsTurn: true } : {}),
    };
    const extra = expected[`${agent}/${name}`];
    if (extra) expect(event).toEqual({ ...full, ...extra });
    else expect(event).toMatchObject({ ...full });
  });

  test("null is the same as absent", () => {
    const payload = load(agent, "PostToolUse");
    for (const field of ["transcript_path", "prompt_id", "turn_id", "agent_id", "tool_response", "cwd"])
      payload[field] = null;
    const event = decoded(agent, payload);
    expect(Object.keys(event).sort()).toEqual(
      ["channel", "command", "event", "nativeEvent", "sessionId", "tool", "toolUseId"].sort(),
    );
  });

  test.each(["PreToolUse", "preToolUse", "pretooluse", "pre_tool_use", "PRE_TOOL_USE"])(
    "the event may be spelt %s",
    (name) => {
      const event = decoded(agent, { ...load(agent, "PreToolUse"), hook_event_name: name });
      expect(event).toMatchObject({ event: "PreToolUse", nativeEvent: name, command: commit });
    },
  );

  test("fields may come in camelCase", () => {
    const event = decoded(agent, {
      sessionId: "s",
      hook_event_name: "PostToolUse",
      toolName: "Bash",
      toolUseId: "t",
      toolInput: { command: "git commit", workdir: "/w" },
      agentId: "a",
    });
    expect(event).toEqual({
      event: "PostToolUse",
      nativeEvent: "PostToolUse",
      sessionId: "s",
      channel: "context",
      agentId: "a",
      toolUseId: "t",
      tool: "Bash",
      command: "git commit",
      toolDirectory: "/w",
    });
  });

  test("an event that nobody knows, or none, is Other", () => {
    const stop = load(agent, "Stop");
    expect(decoded(agent, { ...stop, hook_event_name: "Quux" }).event).toBe("Other");
    expect(decoded(agent, { ...stop, hook_event_name: undefined }).event).toBe("Other");
    expect(decoded(agent, { ...stop, hook_event_name: "constructor" }).event).toBe("Other");
  });

  test.each([undefined, null, "", "  "])("the session id %p names no session", (id) => {
    expect(decode(agent, { ...load(agent, "Stop"), session_id: id })).toEqual({ kind: "anonymous" });
  });

  test("payloads of Grok Build and Cursor are told by their shape", () => {
    const stop = load(agent, "Stop");
    expect(decode(agent, { ...stop, workspaceRoot: "/r" })).toEqual({ kind: "foreign", from: "Grok Build" });
    expect(decode(agent, { ...stop, hookEventName: "stop" })).toEqual({
      kind: "foreign",
      from: "Grok Build",
    });
    expect(decode(agent, { ...stop, conversation_id: "c", cursor_version: "3" })).toEqual({
      kind: "foreign",
      from: "Cursor",
    });
    expect(decode(agent, { ...stop, conversation_id: "c" })?.kind).toBe("event");
  });

  test.each<[string, Payload, string]>([
    ["Stop", { session_id: 5 }, "session_id is not a string"],
    ["Stop", { session_id: "x".repeat(513) }, "session_id is too long"],
    ["Stop", { hook_event_name: {} }, "hook_event_name is not a string"],
    ["Stop", { stop_hook_active: "true" }, "stop_hook_active is not true or false"],
    ["Stop", { cwd: ["/r"] }, "cwd is not a string"],
    ["PreToolUse", { tool_name: undefined }, "tool_name is missing"],
    ["PreToolUse", { tool_name: 1 }, "tool_name is not a string"],
    ["PreToolUse", { tool_input: null }, "tool_input is not an object"],
    ["PostToolUse", { tool_input: "git commit" }, "tool_input is not an object"],
    ["PostToolUse", { tool_input: [] }, "tool_input is not an object"],
  ])("%s with %j is malformed: %s", (name, change, problem) => {
    expect(decode(agent, { ...load(agent, name), ...change })).toEqual({ kind: "malformed", problem });
  });

  test("a shell call without a command text is one that runs nothing", () => {
    const event = decoded(agent, {
      ...load(agent, "PreToolUse"),
      tool_input: { command: ["git", "commit"] },
    });
    expect(event.command).toBe("");
  });
});

test("Claude Code's PowerShell is a shell tool, its other tools are not", () => {
  const payload = load("claude", "PreToolUse");
  expect(decoded("claude", { ...payload, tool_name: "PowerShell" }).tool).toBe("Bash");
  expect(decoded("claude", { ...payload, tool_name: "BashOutput" })).not.toHaveProperty("command");
});

describe("the registry (scenario 103)", () => {
  test("finds by name in any casing, and nothing else", () => {
    expect(findHarness(" Claude ")?.displayName).toBe("Claude Code");
    expect(findHarness("CODEX")?.displayName).toBe("Codex");
    for (const name of ["", "all", "toString", "__proto__", "constructor", "claude2"])
      expect(findHarness(name)).toBeUndefined();
  });

  test("lists the harnesses in installation order", () => {
    expect(harnesses.map((harness) => harness.name)).toEqual(installationOrder);
  });

  test("Claude Code and Codex have three registrations each", () => {
    expect(["claude", "codex"].map((name) => findHarness(name)?.registrations)).toEqual([
      [
        { event: "PreToolUse", matcher: "Bash" },
        { event: "PostToolUse", matcher: "Bash" },
        { event: "Stop" },
      ],
      [
        { event: "PreToolUse", matcher: "^Bash$" },
        { event: "PostToolUse", matcher: "^Bash$" },
        { event: "Stop" },
      ],
    ]);
  });
});

test("the names that the hook knows before it loads a codec are those of the registry", () => {
  expect(harnesses.map((harness) => harness.name)).toEqual([...harnessNames]);
});

test("each harness can be loaded alone, by its canonical name and no other", async () => {
  for (const harness of harnesses) expect(await loadHarness(harness.name)).toBe(harness);
  for (const name of ["", "Claude", "toString", "__proto__"])
    expect(() => loadHarness(name)).toThrow("no harness");
});
