import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import type { FixSession } from "../../../src/reminder/state.ts";
import { testDaemon } from "../../support/daemon.ts";
import { codingAgent } from "./coding-agent.ts";
import { hermes } from "./hermes-scene.ts";
import { type Scene, scene } from "./scene.ts";

afterEach(() => {
  setSystemTime();
});

const hourMs = 3_600_000;
const later = (hours: number) => setSystemTime(new Date(Date.now() + hours * hourMs));
const commit = "git commit -q --allow-empty -m a";
const quiet = { triggered: false } as const;

async function fixSessions(s: Pick<Scene, "daemon">): Promise<FixSession[]> {
  const { body } = await s.daemon.get("/api/agent-hook/sessions");
  return Object.values((body as { fix_sessions?: Record<string, FixSession> }).fix_sessions ?? {});
}

/** A scene with failed reviews, and agents that one is enough for. */
async function failing(count = 1) {
  const s = await scene();
  const ids = s.fail(count);
  const agent = (session: string, more: Partial<Parameters<typeof codingAgent>[1]> = {}) =>
    codingAgent(s, { session, failedReviewThreshold: 1, ...more });
  return { ...s, ids, agent };
}

describe("one fix session in a working tree", () => {
  test("88 of two Stops at once one becomes the owner, the other keeps what it had", async () => {
    await using s = await failing();
    const agents = [s.agent("s1"), s.agent("s2")];
    const told = await Promise.all(agents.map((agent) => agent.stop()));
    expect(told.map(({ triggered }) => triggered).sort()).toEqual([false, true]);
    const [owner] = await fixSessions(s);
    const at = told.findIndex(({ triggered }) => triggered);
    expect(owner).toMatchObject({
      id: told[at]!.fix_session_id!,
      session_id: `s${at + 1}`,
      review_ids: s.ids,
    });
    const other = await agents[1 - at]!.state();
    expect(other.acknowledged_review_ids).toBeUndefined();
    expect(other.failed_review_triggered_counts).toBeUndefined();
    expect(Object.values(other.stop_counts_since_prompt ?? {})).toEqual([1]);
  });

  test("89 of two commits at once likewise, and the commits still wait", async () => {
    await using s = await failing();
    const more = { commitThreshold: 1, failedReviewThreshold: 0 };
    const agents = [s.agent("s1", more), s.agent("s2", more)];
    for (const agent of agents) await agent.before(commit);
    s.repo.commit("a");
    const told = await Promise.all(agents.map((agent) => agent.after(commit)));
    const at = told.findIndex(({ triggered }) => triggered);
    expect(told[at]).toMatchObject({ triggered_by: "commit" });
    expect(told[1 - at]).toMatchObject({ ...quiet, commit_count: 1 });
    expect(await fixSessions(s)).toHaveLength(1);
    await s.fixDone(told[at]!);
    expect(await agents[1 - at]!.run("true")).toMatchObject({ triggered_by: "commit", commit_count: 1 });
  });

  test("90 another working tree has one of its own", async () => {
    await using s = await failing();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
    s.fail(1, "feature");
    expect(await s.agent("s1").stop()).toMatchObject({ triggered: true });
    expect(await s.agent("s2").stop({ cwd: tree })).toMatchObject({ triggered: true });
    expect((await fixSessions(s)).map(({ worktree }) => worktree).sort()).toEqual([s.repo.path, tree].sort());
  });

  test("93 the same session id of another agent is not the owner", async () => {
    await using s = await failing();
    expect(await s.agent("s1").run("true")).toMatchObject({ triggered: true });
    expect(await s.agent("s1", { agent: "codex" }).stop()).toMatchObject(quiet);
  });
});

describe("the owner", () => {
  test("91 is asked to finish at the end of its turn, in the same fix session, to the end of its time", async () => {
    await using s = await failing();
    const agent = s.agent("s1");
    const { fix_session_id } = await agent.run("true");
    const [fix] = await fixSessions(s);
    later(11);
    const asked = await agent.stop();
    expect(asked).toMatchObject({ triggered: true, triggered_by: "fix_session", fix_session_id });
    expect(await fixSessions(s)).toEqual([{ ...(fix as FixSession), close_outs: 1 }]);
    const before = await agent.state();
    expect(await agent.stop({ stop_hook_active: true })).toMatchObject({ ...quiet, skipped: true });
    expect(await agent.state()).toMatchObject({ count: before.count });
  });

  test("101 is asked in short: the reviews, the command once, no guidelines and no instruction", async () => {
    await using s = await failing(2);
    await Bun.write(s.dir.join("config.toml"), 'fix_guidelines = "Verify first."\n');
    const agent = s.agent("s1", { instruction: "Mend it." });
    const told = await agent.run("true");
    expect(told.reason).toContain("Verify first.");
    const { reason = "" } = await agent.stop();
    expect(reason.split(`agent-hook fix-done ${told.fix_session_id}`)).toHaveLength(2);
    expect(reason).toContain(`roborev review jobs ${s.ids[1]}, ${s.ids[0]} are still open`);
    expect(reason).not.toContain("Verify first.");
    expect(reason).not.toContain("Mend it.");
  });

  test("W7 is asked three times at most; then the working tree is free", async () => {
    await using s = await failing();
    const agent = s.agent("s1");
    await agent.run("true");
    for (let round = 1; round <= 3; round++)
      expect(await agent.stop()).toMatchObject({ triggered_by: "fix_session" });
    expect(await s.agent("s2").stop()).toMatchObject(quiet);
    expect(await agent.stop()).toMatchObject(quiet);
    expect(await fixSessions(s)).toEqual([]);
    expect(await s.agent("s2").stop()).toMatchObject({ triggered: true });
  });

  test("D17 is not asked once its reviews are closed, and the working tree is free", async () => {
    await using s = await failing();
    const agent = s.agent("s1");
    await agent.run("true");
    await s.close(s.ids);
    expect(await agent.stop()).toMatchObject({ ...quiet, count: 1 });
    expect(await fixSessions(s)).toEqual([]);
  });

  test("D17 is told of new reviews, which its fix session takes in", async () => {
    await using s = await failing();
    const agent = s.agent("s1");
    const first = await agent.run("true");
    const [newer] = s.fail(1);
    const second = await agent.run("true");
    expect(second).toMatchObject({ triggered: true, fix_session_id: first.fix_session_id });
    expect(second.reason).toContain(`Review job id: ${newer}.`);
    expect(await fixSessions(s)).toMatchObject([{ review_ids: [...s.ids, newer] }]);
    const [newest] = s.fail(1);
    const closing = await agent.stop();
    expect(closing).toMatchObject({ triggered_by: "fix_session" });
    expect(closing.reason).toContain(`Review job id: ${newest}.`);
    expect(await agent.run("true")).toMatchObject(quiet);
  });
});

describe("whoever is not the owner", () => {
  test("92 fires with everything it had counted once fix-done frees the working tree", async () => {
    await using s = await failing();
    const owner = await s.agent("s1").run("true");
    const agent = s.agent("s2", { turnThreshold: 2, failedReviewThreshold: 0 });
    for (let turn = 1; turn <= 3; turn++) expect(await agent.stop()).toMatchObject({ ...quiet, count: turn });
    await s.fixDone(owner);
    const told = await agent.stop();
    expect(told).toMatchObject({ triggered_by: "stop", count: 4 });
    expect(told.reason).toContain("4 Stop hooks reached.");
  });

  test("92 stays silent when the owner has dealt with all of it", async () => {
    await using s = await failing();
    const owner = await s.agent("s1").run("true");
    await s.agent("s2").stop();
    await s.close(s.ids);
    await s.fixDone(owner);
    expect(await s.agent("s2").stop()).toMatchObject(quiet);
  });

  test("93 fires twelve hours after the owner was told, with a fix session of its own", async () => {
    await using s = await failing();
    const { fix_session_id } = await s.agent("s1").run("true");
    later(12);
    setSystemTime(new Date(Date.now() - 10_000));
    expect(await s.agent("s2").stop()).toMatchObject(quiet);
    setSystemTime(new Date(Date.now() + 10_000));
    const told = await s.agent("s2").stop();
    expect(told).toMatchObject({ triggered: true });
    expect(told.fix_session_id).not.toBe(fix_session_id);
    expect(await fixSessions(s)).toMatchObject([{ session_id: "s2" }]);
  });

  test("98 cannot be robbed of it by the id of an older fix session, or of none", async () => {
    await using s = await failing();
    const old = await s.agent("s1").run("true");
    await s.fixDone(old);
    const told = await s.agent("s2").run("true");
    await s.fixDone(old, false);
    await s.fixDone({ ...old, fix_session_id: crypto.randomUUID() }, false);
    expect(await fixSessions(s)).toMatchObject([{ id: told.fix_session_id!, session_id: "s2" }]);
  });
});

describe("a fix session", () => {
  test("98 an id that stands for none is refused: whoever sends it has not read it anywhere", async () => {
    await using s = await scene();
    for (const fix_session_id of ["00000000-0000-0000-0000-000000000000", "x", ""]) {
      const answer = await s.daemon.post("/api/agent-hook/fix-done", { fix_session_id });
      expect([fix_session_id, answer.status]).toEqual([fix_session_id, 400]);
    }
  });

  test("98 says whether there was anything to end: not twice, and not when its time is over", async () => {
    await using s = await failing();
    const first = await s.agent("s1").run("true");
    await s.fixDone(first);
    await s.fixDone(first, false);
    s.fail(4);
    const second = await s.agent("s1").run("true");
    later(12);
    await s.fixDone(second, false);
    expect(await fixSessions(s)).toEqual([]);
  });

  test("94 outlives the daemon and the branch", async () => {
    await using s = await failing();
    const told = await s.agent("s1").run("true");
    s.repo.git("checkout", "-q", "-b", "feature");
    s.fail(1, "feature");
    expect(await s.agent("s2").stop()).toMatchObject(quiet);
    await s.daemon.parts.close();
    await using next = await testDaemon(s.dir.path);
    expect(await fixSessions({ daemon: next })).toMatchObject([{ id: told.fix_session_id! }]);
    const asks = s.agent("s1").asks.stop();
    expect((await next.post("/api/agent-hook/event", asks)).body).toMatchObject({
      triggered_by: "fix_session",
      fix_session_id: told.fix_session_id,
    });
  });

  test("95 is never Cursor's, which is told nothing, and does not keep it from anything", async () => {
    await using s = await failing();
    await s.agent("c1", { agent: "cursor" }).stop();
    expect(await fixSessions(s)).toEqual([]);
    await s.agent("s1").run("true");
    await s.agent("c1", { agent: "cursor" }).stop();
    expect(await s.agent("c1", { agent: "cursor" }).state()).toMatchObject({ count: 2, would_trigger: {} });
  });

  test("96 is Hermes Agent's from the moment it is told, for the working tree that the reminder is about", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    expect(await fixSessions(s)).toEqual([]);
    const told = await s.agent.stop({ cwd: "/" });
    expect(await fixSessions(s)).toMatchObject([
      { id: told.fix_session_id!, agent: "hermes", session_id: "h1", worktree: s.repo.path },
    ]);
  });

  test("96 keeps a queued reminder of another session waiting", async () => {
    await using s = await hermes();
    s.fail(1);
    await s.agent.run("true");
    const owner = await codingAgent(s, { session: "s1", failedReviewThreshold: 1 }).run("true");
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject(quiet);
    expect(await s.queue()).toHaveLength(1);
    await s.fixDone(owner);
    expect(await s.agent.stop({ cwd: "/" })).toMatchObject({ triggered: true });
  });

  test.each([
    ["its session", { session_id: "s1" }],
    ["all", { all: true }],
  ])("102 goes with the reset of %s, and the next one is told", async (_, body) => {
    await using s = await failing();
    await s.agent("s1").run("true");
    await s.daemon.post("/api/agent-hook/reset", { session_id: "s2" });
    expect(await fixSessions(s)).toHaveLength(1);
    await s.daemon.post("/api/agent-hook/reset", body);
    expect(await fixSessions(s)).toEqual([]);
    expect(await s.agent("s2").stop()).toMatchObject({ triggered: true });
  });
});
