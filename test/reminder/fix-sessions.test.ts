import { describe, expect, test } from "bun:test";
import type { Scope } from "../../src/reminder/lineage.ts";
import type { Session } from "../../src/reminder/state.ts";
import { type Change, lineage, play, scope, worktree } from "./game.ts";

const s2: Change = { sessionId: "s2" };
const other: Scope = { ...scope, worktreeRoot: "/w", branch: "feature" };
const hour = (n: number) => ({ now: new Date(Date.UTC(2026, 0, 1, n)) });
const turns = { thresholds: { turn: 2, commits: 0, failedReviews: 0 } };
const failed = { thresholds: { turn: 0, commits: 0, failedReviews: 2 } };

describe("one session at a time fixes what a working tree has", () => {
  test("a reminder takes the working tree for its session, for 12 hours", () => {
    const game = play(failed);
    const { newId, trigger } = game.send("PostToolUse", [1, 2], hour(0));
    expect(trigger?.fixSessionId).toBe(newId);
    expect([...game.fixSessions]).toEqual([
      [
        worktree,
        {
          id: newId,
          agent: "claude",
          session_id: "s1",
          worktree: "/r",
          lineage,
          review_ids: [2, 1],
          close_outs: 0,
          expires_at: "2026-01-01T12:00:00.000Z",
        },
      ],
    ]);
  });

  test("88 of two sessions that stop at once, one is told and owns", () => {
    const game = play(turns);
    for (const session of [{}, s2]) game.send("Stop", [1], session);
    expect(game.send("Stop", [1]).trigger).toMatchObject({ by: "stop" });
    const refused = game.send("Stop", [1], s2);
    expect(refused).toMatchObject({ skipped: false, actionable: 1 });
    expect(refused.trigger).toBeUndefined();
    expect(refused.deliveries).toBeUndefined();
    expect(game.fixSessions.get(worktree)?.session_id).toBe("s1");
  });

  test("88 the other one keeps its turns, and nothing counts as told to it", () => {
    const game = play(turns);
    game.send("Stop", [1]);
    game.send("Stop", [1]);
    for (let turn = 1; turn <= 3; turn++) game.send("Stop", [1], s2);
    const session = game.sessions.get("claude:s2");
    expect(session).toMatchObject({ count: 3, stop_counts_since_prompt: { [lineage]: 3 } });
    expect(session?.acknowledged_review_ids).toBeUndefined();
    expect(session?.remind_count).toBeUndefined();
    expect(session?.blocked_turn_id).toBeUndefined();
  });

  test("89 of two sessions whose commits fire at once, one owns, the other keeps its commits", () => {
    const game = play({ thresholds: { turn: 0, commits: 1, failedReviews: 0 } });
    game.git.commit("c1");
    game.git.commit("c2", "c1");
    const at = { scope: { ...scope, head: "c2" }, commit: "commit" };
    for (const session of [{}, s2]) game.send("PreToolUse", [], { ...session, commit: "commit" });
    expect(game.send("PostToolUse", [1], at).trigger).toMatchObject({ by: "commit" });
    expect(game.send("PostToolUse", [1], { ...at, ...s2 })).toMatchObject({ commits: 1, actionable: 1 });
    expect(game.sessions.get("claude:s2")?.commit_shas_since_prompt).toEqual({ [lineage]: ["c2"] });
  });

  test("90 in another working tree another session owns, also of the same repository", () => {
    const game = play(failed);
    expect(game.send("PostToolUse", [1, 2]).trigger).toBeDefined();
    expect(game.send("PostToolUse", [1, 2], { ...s2, scope: other }).trigger).toBeDefined();
    expect([...game.fixSessions.values()].map((fix) => fix.session_id)).toEqual(["s1", "s2"]);
  });

  test("the same session id of another agent is another session", () => {
    const game = play(failed);
    game.send("PostToolUse", [1, 2]);
    expect(game.send("PostToolUse", [1, 2], { agent: "codex" }).trigger).toBeUndefined();
  });

  test("a refused failed-review trigger tries again at the very next event", () => {
    const game = play(failed);
    game.send("PostToolUse", [1, 2]);
    for (let n = 0; n < 2; n++) expect(game.send("PostToolUse", [1, 2], s2).trigger).toBeUndefined();
    expect(game.sessions.get("claude:s2")?.failed_review_triggered_counts).toBeUndefined();
    game.fixSessions.clear();
    expect(game.send("PostToolUse", [1, 2], s2).trigger).toMatchObject({ ids: [2, 1] });
  });

  test("92 once it is released, the other session fires with the turns it has kept", () => {
    const game = play(turns);
    game.send("Stop", [1]);
    game.send("Stop", [1]);
    for (let turn = 1; turn <= 4; turn++) game.send("Stop", [1], s2);
    game.fixSessions.clear();
    expect(game.send("Stop", [1], s2).trigger).toMatchObject({ by: "stop", turns: 5, ids: [1] });
    expect(game.fixSessions.get(worktree)?.session_id).toBe("s2");
  });

  test("92 or stays silent, if the reviews are closed by then", () => {
    const game = play(turns);
    game.send("Stop", [1]);
    game.send("Stop", [1]);
    for (let turn = 1; turn <= 4; turn++) game.send("Stop", [1], s2);
    game.fixSessions.clear();
    expect(game.send("Stop", [], s2).trigger).toBeUndefined();
  });

  test("93 after 12 hours it is as if it had not been, to the very end of them", () => {
    const game = play(failed);
    const first = game.send("PostToolUse", [1, 2], hour(0));
    const late = new Date(Date.UTC(2026, 0, 1, 12) - 1);
    expect(game.send("PostToolUse", [1, 2], { ...s2, now: late }).trigger).toBeUndefined();
    const { trigger } = game.send("PostToolUse", [1, 2], { ...s2, ...hour(12) });
    expect(trigger?.fixSessionId).toBeDefined();
    expect(trigger?.fixSessionId).not.toBe(first.newId);
    expect(game.fixSessions.get(worktree)).toMatchObject({
      session_id: "s2",
      expires_at: "2026-01-02T00:00:00.000Z",
    });
  });

  test("93 the owner itself gets a new one then", () => {
    const game = play(failed);
    game.send("PostToolUse", [1, 2], hour(0));
    const { trigger, newId } = game.send("PostToolUse", [1, 2, 3, 4], hour(12));
    expect(trigger).toMatchObject({ fixSessionId: newId, ids: [4, 3] });
    expect(game.fixSessions.get(worktree)?.review_ids).toEqual([4, 3]);
  });

  test.each([
    ["at no time that can be read", "soon"],
    ["later than any grant, as after the clock was set back", "2027-01-01T00:00:00Z"],
  ])("93 one that ends %s holds up nobody", (_, expires_at) => {
    const game = play({ ...failed, ...hour(0) });
    game.send("PostToolUse", [1, 2]);
    game.fixSessions.set(worktree, { ...game.fixSessions.get(worktree)!, expires_at });
    expect(game.send("PostToolUse", [1, 2], s2).trigger).toBeDefined();
  });

  test("94 holds over a change of branch in the same working tree", () => {
    const game = play(failed);
    game.send("PostToolUse", [1, 2]);
    for (const branch of ["feature", ""]) {
      const away = { ...s2, scope: { ...scope, branch } };
      expect(game.send("PostToolUse", [3, 4], away).trigger).toBeUndefined();
    }
  });

  test("95 a harness that the user left switched off is evaluated and owns nothing", () => {
    const game = play({ ...failed, agent: "cursor", optedOut: true });
    expect(game.send("PostToolUse", [1, 2], { channel: undefined } as never)).toMatchObject({
      actionable: 2,
    });
    expect(game.send("Stop", [1, 2]).trigger).toBeUndefined();
    expect(game.sessions.get("cursor:s1")?.would_trigger).toMatchObject({ triggered_by: "failed_reviews" });
    expect(game.fixSessions.size).toBe(0);
  });

  test("96 what is queued owns nothing; what is told at the end of the turn does", () => {
    const game = play({ ...failed, agent: "hermes" });
    game.send("PostToolUse", [1, 2], { channel: undefined } as never);
    expect(game.fixSessions.size).toBe(0);
    game.git.places.set("/r", { scope, tracked: true, openFailed: [1, 2] });
    expect(game.send("Stop", [1, 2]).trigger).toMatchObject({ by: "failed_reviews" });
    expect(game.fixSessions.get(worktree)?.agent).toBe("hermes");
  });

  test("96 it is keyed by the working tree that was queued, not by where the session has gone", () => {
    const game = play({ ...failed, agent: "hermes" });
    game.send("PostToolUse", [1, 2], { channel: undefined, scope: other } as never);
    game.git.places.set("/w", { scope: other, tracked: true, openFailed: [1, 2] });
    game.send("Stop", [], {});
    expect([...game.fixSessions.keys()]).toEqual(["/r\0worktree\0/w"]);
  });
});

describe("D17", () => {
  test("its owner is never refused: what is new joins the reviews it has", () => {
    const game = play(failed);
    const first = game.send("PostToolUse", [1, 2], hour(0));
    const second = game.send("PostToolUse", [1, 2, 3, 4], hour(3));
    expect(second.trigger).toMatchObject({ ids: [4, 3], fixSessionId: first.newId });
    expect(game.fixSessions.get(worktree)).toMatchObject({
      id: first.newId,
      review_ids: [2, 1, 4, 3],
      expires_at: "2026-01-01T12:00:00.000Z",
    });
  });

  test("holds nothing once all its reviews are dealt with: the next reminder begins a new one, whoever it is for", () => {
    for (const session of [s2, {}]) {
      const game = play(failed);
      game.send("PostToolUse", [1, 2]);
      game.git.settled.add(1);
      expect(game.send("PostToolUse", [2, 3, 4], s2).trigger).toBeUndefined();
      game.git.settled.add(2);
      const { trigger, newId } = game.send("PostToolUse", [3, 4], session);
      expect(trigger?.fixSessionId).toBe(newId);
      expect(game.fixSessions.get(worktree)?.review_ids).toEqual([4, 3]);
    }
  });

  test("one of another release, which stored no reviews, holds until it ends otherwise", () => {
    const game = play(failed);
    game.send("PostToolUse", [1, 2]);
    const fix = game.fixSessions.get(worktree)!;
    game.fixSessions.set(worktree, { ...fix, review_ids: [] });
    expect(game.send("PostToolUse", [1, 2], s2).trigger).toBeUndefined();
  });

  test("reviews beyond those a reminder names are not part of it", () => {
    const game = play(failed);
    game.send(
      "PostToolUse",
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
    expect(game.fixSessions.get(worktree)?.review_ids).toHaveLength(50);
    const session: Session = game.session;
    expect(Object.keys(session.acknowledged_review_ids?.[lineage] ?? {})).toHaveLength(50);
  });
});
