import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HookRequest } from "../../../src/daemon/api/hook-event.ts";
import { testRepo } from "../../support/repo.ts";
import { codingAgent, shell } from "./coding-agent.ts";
import { decideOn, momentOf } from "./interrupted.ts";
import { type Scene, scene } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;
const amend = "git commit -q --amend --allow-empty -m amended";

/** What happens before an event, and the event. */
type Story = (s: Scene) => Promise<HookRequest>;

const claude = (s: Scene) => codingAgent(s, { commitThreshold: 2, failedReviewThreshold: 2 });
const hermes = (s: Scene) =>
  codingAgent(s, { agent: "hermes", commitThreshold: 1, failedReviewThreshold: 1 });

const stories: Record<string, Story> = {
  "77 the start of a commit": async (s) => claude(s).asks.before(commit("a")),
  "77 the end of a command": async (s) => {
    s.fail(1);
    return claude(s).asks.after("true");
  },
  "77 the end of a command at which failed reviews are told": async (s) => {
    s.fail(2);
    return claude(s).asks.after("true");
  },
  "77 the end of a commit at which commits are told": async (s) => {
    const agent = claude(s);
    s.fail(1);
    await agent.run(commit("a"));
    await agent.before(commit("b"));
    shell(s.repo.path, commit("b"));
    return agent.asks.after(commit("b"));
  },
  "77 the end of an amend": async (s) => {
    const agent = claude(s);
    await agent.run(commit("a"));
    await agent.before(amend);
    shell(s.repo.path, amend);
    return agent.asks.after(amend);
  },
  "77 a Stop that ends a turn": async (s) => claude(s).asks.stop(),
  "77 a Stop at which failed reviews are told": async (s) => {
    s.fail(2);
    return claude(s).asks.stop();
  },
  "77 a Stop that finds commits whose end was lost, in another working tree": async (s) => {
    const agent = claude(s);
    s.repo.git("worktree", "add", "-q", "-b", "feature", s.dir.join("tree"));
    await agent.before(commit("a"), { cwd: s.dir.join("tree") });
    shell(s.dir.join("tree"), commit("a"));
    return agent.asks.stop();
  },
  "77 a Stop after a block": async (s) => {
    const agent = claude(s);
    s.fail(2);
    await agent.stop();
    return agent.asks.stop({ stop_hook_active: true });
  },
  "77 a Stop of the owner of a fix session": async (s) => {
    const agent = claude(s);
    s.fail(2);
    await agent.run("true");
    return agent.asks.stop();
  },
  "77 a Stop in a working tree where another session is busy": async (s) => {
    s.fail(2);
    await codingAgent(s, { session: "busy", failedReviewThreshold: 2 }).run("true");
    return claude(s).asks.stop();
  },
  "77 a Stop while a branch is attached to a detached line": async (s) => {
    s.repo.git("checkout", "-q", "--detach");
    const agent = claude(s);
    await agent.run(commit("a"));
    s.repo.git("checkout", "-q", "-b", "feature");
    s.repo.commit("b");
    return agent.asks.stop();
  },
  "77 the end of a command that queues a reminder": async (s) => {
    s.fail(1);
    return hermes(s).asks.after("true");
  },
  "78 a Stop that tells what was queued, which stays queued": async (s) => {
    s.fail(1);
    await hermes(s).run(commit("a"));
    return hermes(s).asks.stop({ cwd: "/" });
  },
  "78 a Stop that passes over what cannot be told yet and drops what is void": async (s) => {
    const ids = s.fail(1);
    await hermes(s).run(commit("a"));
    s.repo.git("checkout", "-q", "-b", "other");
    const [other] = s.fail(1, "other");
    await hermes(s).run("true");
    await s.close(ids);
    s.repo.git("checkout", "-q", "main");
    expect(other).toBeDefined();
    return hermes(s).asks.stop();
  },
  "79 a Stop in a snoozed place, whose session stays as it was": async (s) => {
    const agent = claude(s);
    s.fail(1);
    await agent.run(commit("a"));
    await agent.stop();
    const here = { repo_path: s.repo.path, worktree_path: s.repo.path, branch: "main" };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await s.daemon.post("/api/agent-hook/snooze", { ...here, enabled: true, snoozed_until: until });
    return agent.asks.stop();
  },
  "77 the end of a commit of Gemini CLI, which is queued for a review": async (s) => {
    const agent = codingAgent(s, { agent: "gemini" });
    await agent.before(commit("a"));
    shell(s.repo.path, commit("a"));
    return agent.asks.after(commit("a"));
  },
};

describe("a caller that leaves, wherever the event waits just then, either consumed nothing or all of it", () => {
  test.each(Object.entries(stories))("%s", async (name, story) => {
    await using s = await scene();
    const request = await story(s);
    const before = await momentOf(s);
    if (name.startsWith("78")) expect(JSON.stringify(before.state)).toContain('"pending_reminders":{"');
    const whole = (await decideOn(s, before, [{ request }]))[0]!;
    expect(whole.answer).toBeDefined();
    expect(whole.published).not.toEqual(before.state);
    expect(whole.stored).toEqual(whole.published);
    const ends = { nothing: 0, everything: 0 };
    for (let leavesAt = 1; leavesAt <= whole.waits; leavesAt++) {
      const { answer, published, stored, queued } = (await decideOn(s, before, [{ request, leavesAt }]))[0]!;
      ends[answer === undefined ? "nothing" : "everything"]++;
      const expected =
        answer === undefined
          ? { state: before.state, queued: [] }
          : { state: whole.published, queued: whole.queued };
      expect({ leavesAt, state: published, queued }).toEqual({ leavesAt, ...expected });
      expect(stored).toEqual(published);
    }
    // Only who leaves after the write has the whole of it.
    expect(ends).toEqual({ nothing: whole.waits - 1, everything: 1 });
  });
});

describe("of two callers at the same time, one of whom leaves", () => {
  test.each([
    [
      "two sessions at the end of their turns",
      (s) =>
        [claude(s), codingAgent(s, { session: "s2", failedReviewThreshold: 2 })].map((agent) =>
          agent.asks.stop(),
        ),
    ],
    [
      "one session's two commands",
      (s) => [claude(s).asks.after("true", { id: "1" }), claude(s).asks.after("ls", { id: "2" })],
    ],
  ] as [string, (s: Scene) => [HookRequest, HookRequest]][])(
    "%s: the other one is told, as if alone or after it",
    async (_, ask) => {
      await using s = await scene();
      s.fail(2);
      const [leaver, stayer] = ask(s);
      const before = await momentOf(s);
      const alone = (await decideOn(s, before, [{ request: leaver, leavesAt: 1 }, { request: stayer }]))[1]!;
      expect(alone.answer).toMatchObject({ triggered: true });
      const { waits } = (await decideOn(s, before, [{ request: leaver }]))[0]!;
      for (let leavesAt = 2; leavesAt <= waits + 4; leavesAt++) {
        const [left, stayed] = await decideOn(s, before, [
          { request: leaver, leavesAt },
          { request: stayer },
        ]);
        const told = [left, stayed].filter((outcome) => outcome?.answer?.triggered);
        expect(told).toHaveLength(1); // the reminder is neither lost nor doubled
        if (left?.answer === undefined) expect(stayed?.published).toEqual(alone.published);
      }
    },
  );
});

test("74 a queued reminder of another place outlives the caller that leaves while it is told", async () => {
  await using s = await scene();
  using other = testRepo();
  const repoId = await s.register(other.path);
  s.fail(1, "main", { repoId, gitRef: other.git("rev-parse", "HEAD") });
  await hermes(s).run("true", { cwd: other.path });
  const request = hermes(s).asks.stop();
  const before = await momentOf(s);
  const { waits } = (await decideOn(s, before, [{ request }]))[0]!;
  const [gone] = await decideOn(s, before, [{ request, leavesAt: waits - 1 }]);
  expect(gone?.answer).toBeUndefined();
  expect((await decideOn(s, { ...before, state: gone!.stored }, [{ request }]))[0]?.answer).toMatchObject({
    triggered: true,
  });
});
