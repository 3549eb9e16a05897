import { describe, expect, test } from "bun:test";
import { testRepo } from "../../support/repo.ts";
import { codingAgent } from "./coding-agent.ts";
import { scene } from "./scene.ts";

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const quiet = { triggered: false } as const;

/** Two registered repositories; the agent works in the first one. */
async function two() {
  const s = await scene();
  const other = testRepo({ subdirectory: "other" });
  const otherId = await s.register(other.path);
  return {
    ...s,
    other,
    failOther: (count: number) =>
      s.fail(count, "main", { repoId: otherId, gitRef: other.git("rev-parse", "HEAD") }),
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      other[Symbol.dispose]();
    },
  };
}

describe("the commit trigger", () => {
  test("28 waits for a failed review, and fires at whatever command comes then", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { commitThreshold: 2 });
    await agent.run(commit("a"));
    expect(await agent.run(commit("b"))).toMatchObject({ ...quiet, commit_count: 2 });
    const [id] = s.fail(1);
    const told = await agent.run("true");
    expect(told).toMatchObject({ triggered: true, triggered_by: "commit", commit_count: 2, remind_count: 1 });
    expect(told.reason).toContain(`Review job id: ${id}.`);
    expect(await agent.run("ls")).toMatchObject(quiet);
    const state = await agent.state();
    expect(state.commit_shas_since_prompt).toBeUndefined();
    expect(state).toMatchObject({ commit_count: 2, commit_triggered_at: expect.any(String) });
  });

  test("28 counts from one reminder to the next", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { commitThreshold: 2 });
    for (let round = 0; round < 2; round++) {
      s.fail(1);
      expect(await agent.run(commit("a"))).toMatchObject({ ...quiet, commit_count: 1 });
      const told = await agent.run(commit("b"));
      expect(told).toMatchObject({ triggered_by: "commit", commit_count: 2 });
      await s.fixDone(told);
    }
  });

  test("29 30 another repository's reviews neither use up these commits nor are told with them", async () => {
    await using s = await two();
    const agent = codingAgent(s, { commitThreshold: 1, failedReviewThreshold: 2 });
    await agent.run(commit("a"));
    s.failOther(1);
    expect(await agent.run("ls", { cwd: s.other.path })).toMatchObject(quiet);
    s.failOther(1);
    expect(await agent.run("ls", { cwd: s.other.path })).toMatchObject({ triggered_by: "failed_reviews" });
    expect(await agent.run("ls")).toMatchObject({ ...quiet, commit_count: 1 });
    s.fail(1);
    expect(await agent.run("ls")).toMatchObject({ triggered_by: "commit", commit_count: 1 });
  });

  test("31 a feature branch does not inherit the commits of main, which wait there", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { commitThreshold: 1 });
    await agent.run(commit("a"));
    await agent.run("git checkout -q -b feature");
    s.fail(1, "feature");
    const there = await agent.run("ls");
    expect(there).toMatchObject(quiet);
    expect(there.commit_count).toBeUndefined();
    s.fail(1);
    expect(await agent.run("git checkout -q main")).toMatchObject({
      triggered_by: "commit",
      commit_count: 1,
    });
  });

  test("32 the text says where and how many, not what the session made in all", async () => {
    await using s = await two();
    const agent = codingAgent(s, { commitThreshold: 2 });
    for (const message of ["a", "b", "c"]) await agent.run(commit(message));
    for (const message of ["a", "b"]) await agent.run(commit(message), { cwd: s.other.path });
    s.failOther(1);
    const told = await agent.run("ls", { cwd: s.other.path });
    expect(told.reason).toContain('2 commits reached in "other".');
    expect(await agent.state()).toMatchObject({ commit_count: 5 });
  });

  test("33 a threshold of 0 is never reached", async () => {
    await using s = await scene();
    s.fail(1);
    const agent = codingAgent(s);
    for (const message of ["a", "b", "c"]) expect(await agent.run(commit(message))).toMatchObject(quiet);
    expect(await agent.state()).toMatchObject({ commit_count: 3 });
  });

  test("D18 the end of a turn evaluates it: after failed reviews, before turns", async () => {
    await using s = await scene();
    s.fail(2);
    const at = (failedReviewThreshold: number, session: string) =>
      codingAgent(s, { commitThreshold: 2, turnThreshold: 1, failedReviewThreshold, session });
    for (const [failed, by] of [
      [9, "commit"],
      [2, "failed_reviews"],
    ] as const) {
      const agent = at(failed, by);
      s.repo.git("checkout", "-q", "main");
      await agent.before(`${commit("a")} && ${commit("b")}`);
      s.repo.commit("a");
      s.repo.commit("b");
      const told = await agent.stop();
      expect(told).toMatchObject({ triggered_by: by });
      await s.fixDone(told);
    }
  });

  test("D21 a sub-agent's commits count for the session that it works for, which is told at its own next event", async () => {
    await using s = await scene();
    s.fail(4);
    const agent = codingAgent(s, { commitThreshold: 2, turnThreshold: 1 });
    const child = { agent_id: "child-1", tool_name: "Bash", tool_input: { command: commit("a") } };
    for (let round = 0; round < 2; round++) {
      await agent.send({ ...child, hook_event_name: "PreToolUse" });
      s.repo.commit("a");
      expect(await agent.send({ ...child, hook_event_name: "PostToolUse" })).toMatchObject(quiet);
    }
    expect(await agent.stop({ agent_id: "child-1" })).toMatchObject({ ...quiet, count: 0 });
    expect(await agent.state()).toMatchObject({ count: 0, commit_count: 2 });
    expect(await agent.run("true")).toMatchObject({ triggered: true, failed_review_count: 4 });
  });
});
