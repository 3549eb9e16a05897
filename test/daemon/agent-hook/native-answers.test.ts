import { expect, test } from "bun:test";
import { answerHook } from "../../../src/hook/run.ts";
import type { Payload } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

/** What a harness reads on standard output, from the hook in this process and the scene's daemon behind it. */
async function answer(s: Scene, agent: string, payload: Payload, ...flags: string[]): Promise<Payload> {
  const { stdout, stderr, exitCode } = await answerHook(["--agent", agent, ...flags], {
    env: { HOME: "/home/dev" },
    cwd: () => "/",
    stdin: () => new Blob([JSON.stringify({ session_id: "s1", cwd: s.repo.path, ...payload })]).stream(),
    monotonicMs: () => performance.now(),
    request: (_socket, _method, path, body) => s.daemon.post(path, body),
  });
  expect([stderr, exitCode]).toEqual([undefined, 0]);
  return JSON.parse(stdout as string);
}

const shell = { tool_name: "Bash", tool_input: { command: "true" } };

test("86 the output of a command may be longer than anything that the daemon takes", async () => {
  await using s = await scene();
  s.fail(4);
  const tool_response = { stdout: "x".repeat(3 * 1024 * 1024) };
  expect(
    await answer(s, "claude", { ...shell, hook_event_name: "PostToolUse", tool_response }),
  ).toMatchObject({
    hookSpecificOutput: {
      hookEventName: "PostToolUse",
      additionalContext: expect.stringContaining("4 open failed"),
    },
  });
});

test("117 Cursor reads an empty object at every event, whatever was due", async () => {
  await using s = await scene();
  s.fail(4);
  const cursor = { conversation_id: "s1", cursor_version: "3", workspace_roots: [s.repo.path] };
  for (const event of [
    { hook_event_name: "postToolUse", ...shell, tool_name: "Shell" },
    { hook_event_name: "stop", status: "completed", loop_count: 0 },
  ])
    expect(await answer(s, "cursor", { ...cursor, ...event }, "--turn-threshold", "1")).toEqual({});
  expect((await s.sessions())["cursor:s1"]).toMatchObject({
    count: 1,
    would_trigger: { triggered_by: "failed_reviews" },
  });
});

test("118 Hermes Agent reads an empty object after its command, and the reminder before it answers", async () => {
  await using s = await scene();
  s.fail(4);
  const after = {
    hook_event_name: "post_tool_call",
    ...shell,
    tool_name: "terminal",
    extra: { status: "ok" },
  };
  expect(await answer(s, "hermes", after)).toEqual({});
  const verify = { hook_event_name: "pre_verify", extra: { attempt: 0 } };
  expect(await answer(s, "hermes", verify)).toEqual({
    decision: "block",
    reason: expect.stringContaining(`They belong to the working tree "${s.repo.path}"`),
  });
  expect(await answer(s, "hermes", verify)).toEqual({});
});

test("W1 Grok Build up to 1.0.6 hears nothing after a command, and is told at the end of its turn", async () => {
  await using s = await scene();
  s.fail(4);
  const session = { sessionId: "s1", workspaceRoot: s.repo.path };
  const old = {
    ...session,
    hookEventName: "PostToolUse",
    toolName: "run_terminal_command",
    toolInput: { command: "true" },
  };
  expect(await answer(s, "grok", { ...old, toolResult: { output: "" } })).toEqual({});
  const stop = { ...session, hookEventName: "Stop", promptId: "p1" };
  expect(await answer(s, "grok", { ...stop, reason: "shutdown" })).toEqual({});
  expect(await answer(s, "grok", { ...stop, reason: "end_turn" })).toMatchObject({ decision: "block" });
});
