import { describe, expect, setSystemTime, test } from "bun:test";
import type { PendingReminder } from "../../../src/reminder/state.ts";
import { testRepo } from "../../support/repo.ts";
import { codingAgent, hermesTurnEnd } from "./coding-agent.ts";
import { hermes } from "./hermes-scene.ts";

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const quiet = { triggered: false } as const;

describe("a trigger where nothing can be said", () => {
  test("65 118 is queued: no reminder, nothing acknowledged, no fix session, counters start again", async () => {
    await using s = await hermes({ failed: 2 });
    s.fail(2);
    const head = s.repo.git("rev-parse", "HEAD");
    const answer = await s.agent.run("true");
    expect(answer).toMatchObject(quiet);
    expect(answer.remind_count).toBeUndefined();
    expect(answer.fix_session_id).toBeUndefined();
    const state = await s.agent.state();
    expect(state.acknowledged_review_ids).toBeUndefined();
    expect(state.failed_review_triggered_counts).toEqual({ [`${s.repo.path}\0main`]: 2 });
    expect(await s.daemon.get("/api/agent-hook/sessions")).toMatchObject({
      body: expect.not.objectContaining({ fix_sessions: expect.anything() }),
    });
    expect(state.pending_reminders).toEqual({
      [`${s.repo.path}\0main\0failed_reviews`]: {
        triggered_by: "failed_reviews",
        instruction: "",
        tracked_repo_root: s.repo.path,
        tracked_repo_identity: `local://${s.repo.path}`,
        worktree_root: s.repo.path,
        branch: "main",
        head,
        lineage_key: `${s.repo.path}\0main`,
        failed_review_count: 2,
        created_at: expect.any(String),
      },
    });
  });

  test("65 both triggers may wait, each by itself", async () => {
    await using s = await hermes({ commits: 1, failed: 1 });
    s.fail(1);
    expect(await s.agent.run(commit("a"))).toMatchObject(quiet);
    expect((await s.queue()).map((pending) => pending.triggered_by).sort()).toEqual([
      "commit",
      "failed_reviews",
    ]);
    expect((await s.agent.state()).commit_shas_since_prompt).toBeUndefined();
  });

  test("66 again coalesces: the place in the queue stays, commits add up, HEAD is the newest", async () => {
    await using s = await hermes({ commits: 2, failed: 0 });
    s.fail(1);
    await s.agent.run(`${commit("a")} && ${commit("b")}`);
    const [first] = await s.queue();
    expect(first).toMatchObject({ commit_count: 2 });
    setSystemTime(new Date(Date.now() + 60_000));
    try {
      s.fail(1);
      await s.agent.run([commit("c"), commit("d"), commit("e")].join(" && "));
    } finally {
      setSystemTime();
    }
    expect(await s.queue()).toEqual([
      {
        ...(first as PendingReminder),
        commit_count: 5,
        failed_review_count: 2,
        head: s.repo.git("rev-parse", "HEAD"),
      },
    ]);
    expect((await s.agent.stop()).reason).toContain("5 commits reached in");
  });

  test("66 of failed reviews takes a whole threshold more", async () => {
    await using s = await hermes({ failed: 2 });
    s.fail(2);
    await s.agent.run("true");
    s.fail(1);
    await s.agent.run("true");
    expect(await s.queue()).toMatchObject([{ failed_review_count: 2 }]);
    s.fail(1);
    await s.agent.run("true");
    expect(await s.queue()).toMatchObject([{ failed_review_count: 4 }]);
  });
});

test("a reminder that the session is given at the end of a turn makes the queued one of the same line needless", async () => {
  await using s = await hermes();
  s.repo.git("checkout", "-q", "--detach");
  s.fail(1, "");
  await s.agent.run("true");
  expect(await s.queue()).toHaveLength(1);
  await s.agent.run(commit("on")); // the queued one waits for the commit that it was about
  const [newer] = s.fail(1, "");
  const told = await s.agent.stop();
  expect(told).toMatchObject({ triggered_by: "failed_reviews", failed_review_count: 2 });
  expect(told.reason).toContain(`Review job ids: ${newer}, `);
  expect(told.reason).not.toContain("They belong to the working tree");
  expect(await s.queue()).toEqual([]);
});

describe("several queued reminders", () => {
  async function two() {
    const s = await hermes({ commits: 1, failed: 0 });
    const other = testRepo();
    const repoId = await s.register(other.path);
    s.fail(1);
    await s.agent.run(commit("first"));
    s.fail(1, "main", { repoId, gitRef: other.git("rev-parse", "HEAD") });
    await s.agent.run(commit("second"), { cwd: other.path });
    return {
      ...s,
      other,
      async [Symbol.asyncDispose]() {
        await s[Symbol.asyncDispose]();
        other[Symbol.dispose]();
      },
    };
  }

  test("73 one that cannot be told yet does not hold up the next, and keeps its place", async () => {
    await using s = await two();
    s.repo.git("checkout", "-q", "-b", "other");
    const told = await s.agent.stop({ cwd: "/" });
    expect(told.reason).toContain(`"${s.other.path}"`);
    expect((await s.queue()).map((pending) => pending.worktree_root)).toEqual([s.repo.path]);
  });

  test("74 nor does it keep the Stop from its own triggers", async () => {
    await using s = await two();
    s.repo.git("checkout", "-q", "-b", "feature");
    const [id] = s.fail(1, "feature");
    const agent = codingAgent(s, {
      agent: "hermes",
      session: "h1",
      turnThreshold: 1,
      failedReviewThreshold: 0,
    });
    s.other.git("checkout", "-q", "-b", "elsewhere");
    await agent.send(hermesTurnEnd);
    const told = await agent.stop();
    expect(told).toMatchObject({ triggered_by: "stop" });
    expect(told.reason).toContain(`Review job id: ${id}.`);
    expect(await s.queue()).toHaveLength(2);
  });

  test("76 are told one at a Stop: failed reviews first, then the one that waits longest", async () => {
    await using s = await two();
    const agent = codingAgent(s, { agent: "hermes", session: "h1", failedReviewThreshold: 1 });
    s.repo.git("checkout", "-q", "-b", "third");
    s.fail(1, "third");
    await agent.run("true");
    const { path } = s.repo;
    s.repo.git("checkout", "-q", "main");
    const told: string[] = [];
    for (const place of [path, path, path]) {
      const answer = await agent.stop({ cwd: "/" });
      told.push(`${answer.triggered_by} ${/working tree "([^"]*)"/.exec(answer.reason ?? "")?.[1]}`);
      await s.fixDone(answer);
      await agent.send({ ...hermesTurnEnd, cwd: "/" });
      if (place === path && told.length === 1) s.repo.git("checkout", "-q", "third");
    }
    expect(told).toEqual([`commit ${path}`, `failed_reviews ${path}`, `commit ${s.other.path}`]);
  });
});
