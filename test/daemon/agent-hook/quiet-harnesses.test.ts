import { describe, expect, test } from "bun:test";
import { codingAgent, hermesPrompt, hermesTurnEnd } from "./coding-agent.ts";
import { hermes } from "./hermes-scene.ts";
import { scene } from "./scene.ts";

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const quiet = { triggered: false } as const;

describe("D22 what Hermes Agent is told at", () => {
  test("the user's next message carries what its own turn could not", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    expect(await s.agent.send(hermesTurnEnd)).toMatchObject({ ...quiet, count: 1 });
    expect(await s.queue()).toHaveLength(1);
    const told = await s.agent.send(hermesPrompt);
    expect(told).toMatchObject({ triggered_by: "failed_reviews", count: 1 });
    await s.fixDone(told);
    expect(await s.agent.stop()).toMatchObject(quiet);
    expect(await s.agent.state()).toMatchObject({ count: 1 });
  });

  test("the end of a sub-agent's turn is none of the session's", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    const child = { extra: { task_id: "sa-0-1", completed: true, interrupted: false } };
    expect(await s.agent.send({ ...hermesTurnEnd, ...child })).toMatchObject(quiet);
    expect(await s.agent.state()).toMatchObject({ count: 0 });
  });
});

test("117 Cursor is asked and counted with the same thresholds and is told nothing, whatever was due", async () => {
  await using s = await scene();
  const ids = s.fail(2);
  const at = { agent: "cursor", turnThreshold: 1, commitThreshold: 1, failedReviewThreshold: 2 } as const;
  const agent = codingAgent(s, at);
  const thresholds = { threshold: 1, commit_threshold: 1, failed_review_threshold: 2 };
  for (const answer of [await agent.run(commit("a")), await agent.stop(), await agent.stop()]) {
    expect(answer).toMatchObject({ ...quiet, ...thresholds, failed_review_count: 2 });
    expect(answer.reason).toBeUndefined();
  }
  const state = await agent.state();
  expect(state).toMatchObject({
    count: 2,
    commit_count: 1,
    would_trigger: { triggered_by: "failed_reviews", at: expect.any(String) },
  });
  for (const field of ["acknowledged_review_ids", "pending_reminders", "remind_count"])
    expect(state[field]).toBeUndefined();
  expect(Object.keys(state.stop_counts_since_prompt ?? {})).toHaveLength(1);
  // And nothing stands in the way of a session that can be told.
  expect((await codingAgent(s, { ...at, agent: "claude" }).stop()).reason).toContain(`${ids[1]}, ${ids[0]}`);
});
