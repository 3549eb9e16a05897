import { afterEach, describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { testRepo } from "../../support/repo.ts";
import { type CodingAgent, codingAgent, hermesTurnEnd, shell } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

afterEach(() => {
  setSystemTime();
});

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const hourMs = 3_600_000;

async function snooze(s: Scene, more: { path?: string; branch?: string; hours?: number } = {}) {
  const { path = s.repo.path, branch = "main", hours = 1 } = more;
  const until = new Date(Date.now() + hours * hourMs).toISOString();
  const scope = { repo_path: path, worktree_path: path, branch };
  const answer = await s.daemon.post("/api/agent-hook/snooze", {
    ...scope,
    enabled: true,
    snoozed_until: until,
  });
  expect(answer.status).toBe(200);
}

/** How often the daemon asks for the reviews of a place. */
function reviewLookups(s: Scene) {
  const { jobs } = s.daemon.parts.services.store;
  const spy = spyOn(jobs, "openFailed");
  return () => spy.mock.calls.length;
}

describe("in a snoozed place", () => {
  test("56 a Stop is skipped, counts start again, HEAD is followed, and reviews are not looked up", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { commitThreshold: 9 });
    s.fail(3);
    await agent.run(commit("a"));
    await agent.stop();
    const before = await agent.state();
    expect(before.commit_shas_since_prompt).toBeDefined();
    expect(before.stop_counts_since_prompt).toBeDefined();
    await snooze(s);
    const head = s.repo.commit("meanwhile");
    const lookups = reviewLookups(s);
    const skipped = await agent.stop();
    expect(skipped).toMatchObject({ skipped: true, triggered: false });
    expect(lookups()).toBe(0);
    const after = await agent.state();
    for (const field of ["commit_shas_since_prompt", "stop_counts_since_prompt", "failed_review_count"])
      expect(after[field]).toBeUndefined();
    expect(after).toMatchObject({ count: before.count, commit_count: 1 });
    expect(new Set(Object.values(after.repo_heads ?? {}))).toEqual(new Set([head]));
  });

  test("56 so are commands, and the start of one", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { commitThreshold: 1, failedReviewThreshold: 1 });
    s.fail(4);
    await snooze(s);
    const lookups = reviewLookups(s);
    expect(await agent.before(commit("a"))).toMatchObject({ skipped: true });
    shell(s.repo.path, commit("a"));
    expect(await agent.after(commit("a"))).toMatchObject({ skipped: true, triggered: false });
    expect(await agent.run("true")).toMatchObject({ skipped: true, triggered: false });
    expect(lookups()).toBe(0);
  });

  test("what the session was told stays told", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { failedReviewThreshold: 1 });
    s.fail(1);
    const told = await agent.run("true");
    expect(told.triggered).toBe(true);
    await s.fixDone(told);
    await snooze(s);
    await agent.stop();
    setSystemTime(new Date(Date.now() + hourMs));
    expect(await agent.run("true")).toMatchObject({ triggered: false });
  });

  test("57 another repository, working tree or branch goes on as if nothing was", async () => {
    await using s = await scene();
    using other = testRepo();
    await s.register(other.path);
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
    const agent = codingAgent(s, { turnThreshold: 9 });
    await snooze(s);
    for (let turn = 0; turn < 2; turn++) {
      await agent.stop({ cwd: other.path });
      await agent.stop({ cwd: tree });
      await agent.stop();
    }
    expect((await agent.state()).stop_counts_since_prompt).toEqual({
      [`${other.path}\0main`]: 2,
      [`${s.repo.path}\0feature`]: 2,
    });
    s.repo.git("checkout", "-q", "-b", "free");
    expect(await agent.stop()).toMatchObject({ count: 5 });
  });

  test.each([
    ["with events", true],
    ["without any", false],
  ])("58 commits that were made %s while it was snoozed are never counted", async (_, hasEvents) => {
    await using s = await scene();
    s.fail(1);
    const agent = codingAgent(s, { commitThreshold: 2, turnThreshold: 2 });
    if (hasEvents) await agent.run(commit("before"));
    else await agent.run("true");
    await snooze(s);
    for (const message of ["a", "b"]) {
      if (hasEvents) await agent.run(commit(message));
      else s.repo.commit(message);
    }
    if (hasEvents) for (let turn = 0; turn < 3; turn++) await agent.stop();
    setSystemTime(new Date(Date.now() + hourMs));
    const first = await agent.run("true");
    expect(first.commit_count).toBeUndefined();
    expect(await agent.run(commit("one"))).toMatchObject({ triggered: false, commit_count: 1 });
    expect(await agent.run(commit("two"))).toMatchObject({ triggered_by: "commit", commit_count: 2 });
  });

  test("58 a commit that was begun before the snooze is not made up for after it", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { commitThreshold: 9 });
    await agent.before(commit("a"), { background: true });
    await agent.after(commit("a"), { background: true });
    await snooze(s);
    s.repo.commit("a");
    await agent.run("true");
    setSystemTime(new Date(Date.now() + hourMs));
    expect((await agent.run("true")).commit_count).toBeUndefined();
    expect((await agent.state()).commit_count).toBeUndefined();
  });

  test("§11.4 the reviews of that time are open, and can be told as soon as it is over", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { failedReviewThreshold: 3 });
    await snooze(s);
    s.fail(3);
    expect(await agent.run("true")).toMatchObject({ triggered: false });
    setSystemTime(new Date(Date.now() + hourMs));
    expect(await agent.run("true")).toMatchObject({ triggered_by: "failed_reviews", failed_review_count: 3 });
  });

  test("W8 the owner of a fix session is not asked to finish", async () => {
    await using s = await scene();
    const agent = codingAgent(s, { failedReviewThreshold: 1 });
    s.fail(1);
    expect(await agent.run("true")).toMatchObject({ triggered: true });
    await snooze(s);
    expect(await agent.stop()).toMatchObject({ triggered: false, skipped: true });
    setSystemTime(new Date(Date.now() + hourMs));
    expect(await agent.stop()).toMatchObject({ triggered_by: "fix_session" });
  });
});

describe("59 the queue and a snooze", () => {
  async function queued() {
    const s = await scene();
    const other = testRepo();
    const failOther = { repoId: await s.register(other.path), gitRef: other.git("rev-parse", "HEAD") };
    const agent = codingAgent(s, { agent: "hermes", failedReviewThreshold: 1 });
    s.fail(1);
    await agent.run("true");
    const [id] = s.fail(1, "main", failOther);
    await agent.run("true", { cwd: other.path });
    return {
      ...s,
      agent,
      other,
      id,
      queue: async (of: CodingAgent = agent) =>
        Object.values((await of.state()).pending_reminders ?? {}).map((pending) => pending.worktree_root),
      async [Symbol.asyncDispose]() {
        await s[Symbol.asyncDispose]();
        other[Symbol.dispose]();
      },
    };
  }

  test("what waits for the snoozed place is dropped, what waits for another one is told there", async () => {
    await using s = await queued();
    expect(await s.queue()).toEqual([s.repo.path, s.other.path]);
    await snooze(s);
    const told = await s.agent.stop({ cwd: "/" });
    expect(told).toMatchObject({ triggered_by: "failed_reviews" });
    expect(told.reason).toContain(`Review job id: ${s.id}.`);
    expect(await s.queue()).toEqual([]);
  });

  test("a Stop in the snoozed place tells what waits for another one, and counts no turn", async () => {
    await using s = await queued();
    await snooze(s);
    expect((await s.agent.stop()).reason).toContain(`Review job id: ${s.id}.`);
    await s.agent.send(hermesTurnEnd);
    expect((await s.agent.state()).count).toBe(0);
  });

  test("a snooze of another branch than the one that the reminder is about drops nothing", async () => {
    await using s = await queued();
    s.repo.git("checkout", "-q", "-b", "feature");
    await snooze(s, { branch: "feature" });
    await s.agent.stop({ cwd: "/" }); // tells what waits for the other repository
    expect(await s.queue()).toEqual([s.repo.path]);
    s.repo.git("checkout", "-q", "main");
    await s.agent.send(hermesTurnEnd);
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject({ triggered: true });
  });
});
