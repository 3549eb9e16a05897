import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { answerHook } from "../../src/hook/run.ts";
import { type Scene, scene } from "../daemon/agent-hook/scene.ts";
import { fixture, type Payload } from "../hook/world.ts";

// Native payloads through hook, daemon and back: what a harness hears in the course of its turns.

interface Journey extends AsyncDisposable {
  s: Scene;
  /** The answer to the payload of a fixture, which happens in the repository; changes may reach into `extra`. */
  hear(name: string, changes?: Payload, extra?: Payload): Promise<unknown>;
  session(id: string): Promise<{ [field: string]: unknown } | undefined>;
}

async function journey(agent: string): Promise<Journey> {
  const s = await scene();
  const hear = async (name: string, changes: Payload = {}, extra?: Payload) => {
    const payload: Payload = { ...fixture(agent, name), ...changes };
    if (extra) payload.extra = { ...(payload.extra as object), ...extra };
    const input = JSON.stringify(payload).replaceAll(/\/src\/repo|\{\{REPO\}\}/g, s.repo.path);
    const answer = await answerHook(["--agent", agent, "--failed-review-threshold", "1"], {
      env: { HOME: s.dir.path },
      cwd: () => "/",
      stdin: () => new Blob([input]).stream(),
      monotonicMs: () => 0,
      request: (_socket, _method, path, body) => s.daemon.post(path, body),
    });
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(answer.stderr).toBeUndefined();
    const heard = JSON.parse(answer.stdout ?? "");
    if (Object.keys(heard).length > 0) await endFixSessions(s);
    return heard;
  };
  return {
    s,
    hear,
    session: async (id) => (await s.sessions())[`${agent}:${id}`],
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

/** The agent is done with what it heard, so that the next thing it hears is a reminder and no request to finish. */
async function endFixSessions(s: Scene): Promise<void> {
  const { fix_sessions = {} } = (await s.daemon.get("/api/agent-hook/sessions")).body as {
    fix_sessions?: Record<string, { id: string }>;
  };
  for (const { id } of Object.values(fix_sessions))
    await s.daemon.post("/api/agent-hook/fix-done", { fix_session_id: id });
}

const aboutReview = (id: number) => expect.stringContaining(`Review job id: ${id}.`);
const block = (id: number) => ({ decision: "block", reason: aboutReview(id) });
const only = (ids: number[]): number => ids[0] as number;

test("D22 Hermes Agent hears of a review with the user's next message when its turn edited nothing", async () => {
  await using j = await journey("hermes");
  expect(await j.hear("pre_llm_call.first_turn")).toEqual({});
  expect(await j.hear("pre_tool_call")).toEqual({});
  const id = only(j.s.fail(1));
  expect(await j.hear("post_tool_call")).toEqual({});
  expect(await j.hear("on_session_end")).toEqual({});
  expect(await j.hear("pre_llm_call.second_turn")).toEqual({ context: aboutReview(id) });
  expect(await j.hear("pre_verify.attempt0")).toEqual({});
  expect(await j.hear("on_session_end")).toEqual({});
  expect(await j.hear("pre_llm_call.second_turn")).toEqual({});
  expect(await j.session("20261130_120000_abc123")).toMatchObject({ count: 2, remind_count: 1 });
});

test("D22 Hermes Agent hears of a review before a turn ends in which it edited, and once a turn", async () => {
  await using j = await journey("hermes");
  const first = only(j.s.fail(1));
  expect(await j.hear("pre_verify.attempt0")).toEqual(block(first));
  const second = only(j.s.fail(1));
  expect(await j.hear("pre_verify.attempt1")).toEqual({});
  expect(await j.hear("on_session_end")).toEqual({});
  expect(await j.hear("pre_verify.attempt0")).toEqual(block(second));
  expect(await j.session("20261130_120000_abc123")).toMatchObject({ count: 1, remind_count: 2 });
});

test("D21 a sub-agent of Hermes Agent hears nothing and ends no turn", async () => {
  await using j = await journey("hermes");
  j.s.fail(1);
  for (const name of ["pre_llm_call.child", "pre_tool_call.child", "post_tool_call.child"])
    expect(await j.hear(name)).toEqual({});
  expect(await j.hear("on_session_end.child")).toEqual({});
  expect(await j.hear("pre_verify.attempt0", {}, { platform: "subagent" })).toEqual({});
  const child = await j.session("20261130_212332_ae9b51");
  expect(child).toMatchObject({ count: 0 });
  expect(child).not.toHaveProperty("remind_count");
});

test("W1 Grok Build hears of a review after the tool, and not again when the turn ends", async () => {
  await using j = await journey("grok");
  expect(await j.hear("UserPromptSubmit.first")).toEqual({});
  expect(await j.hear("PreToolUse")).toEqual({});
  const id = only(j.s.fail(1));
  expect(await j.hear("PostToolUse")).toEqual({
    hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: aboutReview(id) },
  });
  expect(await j.hear("Stop.end_turn")).toEqual({});
  j.s.fail(1);
  expect(await j.hear("Stop.shutdown")).toEqual({});
  expect(await j.session("01a22e73-9f1e-7eb0-a52e-14c6a4e15ed6")).toMatchObject({
    count: 1,
    remind_count: 1,
  });
});

test("W1 an older Grok Build, which drops what is said after a tool, hears it when the turn ends", async () => {
  await using j = await journey("grok");
  const id = only(j.s.fail(1));
  expect(await j.hear("v1.0.5/pre_tool_use")).toEqual({});
  expect(await j.hear("v1.0.5/post_tool_use")).toEqual({});
  expect(await j.hear("v1.0.5/stop")).toEqual(block(id));
  expect(await j.hear("v1.0.5/stop", { stopHookActive: true })).toEqual({});
});

test("a turn that Grok Build began by itself is none, and its sub-agent hears nothing", async () => {
  await using j = await journey("grok");
  expect(await j.hear("UserPromptSubmit.auto_wake")).toEqual({});
  const wake = { sessionId: "01a22e70-33f1-7462-980b-926bb4730a31", session_id: undefined };
  const promptId = "task-completed-01a22e70-35bd-7610-8257-90170e12ebd3";
  expect(await j.hear("Stop.end_turn", { ...wake, promptId })).toEqual({});
  expect(await j.session(wake.sessionId)).toMatchObject({ count: 0 });
  j.s.fail(1);
  expect(await j.hear("UserPromptSubmit.subagent")).toEqual({});
  expect(await j.hear("PostToolUse.subagent")).toEqual({});
});

test("D15 Cursor hears nothing by default, and nothing is used up by that (scenario 117)", async () => {
  await using j = await journey("cursor");
  const id = only(j.s.fail(1));
  for (const name of ["preToolUse.Shell", "postToolUse.Shell", "stop.completed"])
    expect(await j.hear(name)).toEqual({});
  const session = await j.session("5f0c2a1e-7d44-4d0e-9a60-2f8f7c1b9d11");
  expect(session).toMatchObject({ count: 1, would_trigger: { triggered_by: "failed_reviews" } });
  expect(session).not.toHaveProperty("remind_count");

  writeFileSync(j.s.dir.join("config.toml"), "[agent_hook]\ncursor_followup = true\n");
  expect(await j.hear("stop.error")).toEqual({});
  expect(await j.hear("postToolUse.Shell")).toEqual({});
  expect(await j.hear("stop.completed", { generation_id: "next" })).toEqual({
    followup_message: aboutReview(id),
  });
});

test("Cursor is sent no follow-up in the round that a follow-up began", async () => {
  await using j = await journey("cursor");
  writeFileSync(j.s.dir.join("config.toml"), "[agent_hook]\ncursor_followup = true\n");
  j.s.fail(1);
  expect(await j.hear("stop.completed")).toHaveProperty("followup_message");
  j.s.fail(1);
  expect(await j.hear("stop.followup_round")).toEqual({});
  expect(await j.session("5f0c2a1e-7d44-4d0e-9a60-2f8f7c1b9d11")).toMatchObject({
    count: 1,
    remind_count: 1,
  });
});

test("D16 Gemini CLI hears of a review once a turn, whatever its flag says after the tool that it was sent back for", async () => {
  await using j = await journey("gemini");
  const first = only(j.s.fail(1));
  expect(await j.hear("AfterAgent")).toEqual(block(first));
  expect(await j.hear("BeforeTool")).toEqual({});
  expect(await j.hear("AfterTool")).toEqual({});
  const second = only(j.s.fail(1));
  expect(await j.hear("AfterAgent.after-block-and-tool")).toEqual({});
  expect(await j.hear("AfterAgent.after-block")).toEqual({});
  expect(await j.hear("AfterAgent", { prompt: "and now the tests" })).toEqual(block(second));
  expect(await j.session("{{SESSION_ID}}")).toMatchObject({ count: 2, remind_count: 2 });
});

test("Gemini CLI hears of a review beside the result of the tool, in the event's own name", async () => {
  await using j = await journey("gemini");
  const id = only(j.s.fail(1));
  expect(await j.hear("AfterTool")).toEqual({
    hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: aboutReview(id) },
  });
  expect(await j.hear("AfterAgent")).toEqual({});
});

test("D16 Qwen Code hears of a review once a turn, also after a command that failed", async () => {
  await using j = await journey("qwen");
  const first = only(j.s.fail(1));
  expect(await j.hear("PreToolUse")).toEqual({});
  expect(await j.hear("Stop")).toEqual(block(first));
  const second = only(j.s.fail(1));
  expect(await j.hear("Stop.after-block-and-tool")).toEqual({});
  expect(await j.hear("PostToolUseFailure", { prompt_id: "next" })).toEqual({
    hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: aboutReview(second) },
  });
  expect(await j.hear("Stop", { prompt_id: "next" })).toEqual({});
});
