import { describe, expect, test } from "bun:test";
import { configuredHookSettings } from "../../../src/config/hook.ts";
import { policyEvent, reminderInput, wantsReviews } from "../../../src/daemon/agent-hook/event-input.ts";
import type { HookEventBody } from "../../../src/daemon/api/hook-event.ts";
import type { Harness } from "../../../src/harness/harness.ts";
import { findHarness } from "../../../src/harness/registry.ts";

const harness = (name: string) => findHarness(name) as Harness;
const body = (hook_event_name: string, more: Partial<HookEventBody> = {}): HookEventBody => ({
  session_id: "s1",
  hook_event_name,
  ...more,
});
const commit = { verb: "commit", directories: [] };

describe("what the policy looks at", () => {
  test.each([
    ["Stop", {}, "Stop"],
    ["UserPromptSubmit", {}, "UserPromptSubmit"],
    ["PreToolUse", { tool_name: "Bash", commit }, "PreToolUse"],
    ["PreToolUse", { commit }, "PreToolUse"],
    ["PreToolUse", { tool_name: "Bash" }, undefined],
    ["PostToolUse", { tool_name: "Bash" }, "PostToolUse"],
    ["PostToolUse", {}, "PostToolUse"],
    ["PostToolUseFailure", { tool_name: "Bash", commit }, "PostToolUseFailure"],
    ["PostToolUse", { tool_name: "Edit", commit }, undefined],
    ["SubagentStop", {}, undefined],
    ["SessionEnd", {}, undefined],
    ["", {}, undefined],
    ["toString", {}, undefined],
  ] as [string, Partial<HookEventBody>, string | undefined][])("%s %j is %s", (name, more, expected) => {
    expect(policyEvent(body(name, more))).toBe(expected as never);
  });
});

describe("reviews are worth a look", () => {
  const wants = (
    event: "PreToolUse" | "PostToolUse" | "Stop",
    more: Partial<HookEventBody>,
    agent = "claude",
  ) => wantsReviews(event, body(event, more), harness(agent));

  test("unless nothing could be said of them", () => {
    expect(wants("PostToolUse", {})).toBe(true);
    expect(wants("Stop", { stop_hook_active: false })).toBe(true);
    expect(wants("PreToolUse", {})).toBe(false);
    expect(wants("PostToolUse", { agent_id: "child" })).toBe(false);
    expect(wants("Stop", { stop_hook_active: true })).toBe(false);
  });

  test("where the flag of a harness says nothing", () => {
    expect(wants("Stop", { stop_hook_active: true }, "qwen")).toBe(true);
  });
});

describe("what the policy is told", () => {
  const known = { place: undefined, isElsewhere: false, now: new Date(0), newId: "id" };
  const told = (more: Partial<HookEventBody>, agent = "claude", section = {}) =>
    reminderInput(
      "Stop",
      body("Stop", more),
      harness(agent),
      configuredHookSettings(
        { agent_hook: section, droid_hook: { turn_threshold: 2 } },
        harness(agent).settingsSection,
      ),
      known,
    );

  test("is every field of the event, and nothing that it does not have", () => {
    expect(told({})).toEqual({
      event: "Stop",
      agent: "claude",
      sessionId: "s1",
      ...known,
      thresholds: { turn: 5, commits: 0, failedReviews: 4 },
      instruction: "",
      optedOut: false,
      turns: harness("claude").turns,
      endsTurn: false,
      wakeUp: false,
      fromSubagent: false,
    });
    expect(
      told({
        cwd: "/r",
        turn_id: "t",
        stop_hook_active: false,
        channel: "block",
        ends_turn: true,
        wake_up: true,
        agent_id: "child",
        commit,
        background: true,
        tool_use_id: "u",
      }),
    ).toMatchObject({
      cwd: "/r",
      turnId: "t",
      stopHookActive: false,
      channel: "block",
      endsTurn: true,
      wakeUp: true,
      fromSubagent: true,
      commit: { verb: "commit", toolUseId: "u", background: true },
    });
  });

  test("D15 Cursor is opted out until the user says otherwise, no other harness ever is", () => {
    expect(told({}, "cursor").optedOut).toBe(true);
    expect(told({}, "cursor", { cursor_followup: true }).optedOut).toBe(false);
    for (const name of ["codex", "copilot", "droid", "gemini", "grok", "hermes", "qwen"])
      expect(told({}, name).optedOut).toBe(false);
  });

  test("120 Factory Droid has thresholds of its own", () => {
    expect(told({}, "droid", { turn_threshold: 9 }).thresholds.turn).toBe(2);
    expect(told({}, "claude", { turn_threshold: 9 }).thresholds.turn).toBe(9);
  });
});
