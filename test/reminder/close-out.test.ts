import { describe, expect, test } from "bun:test";
import type { Scope } from "../../src/reminder/lineage.ts";
import { type Change, lineage, play, scope, worktree } from "./game.ts";

const hour = (n: number) => ({ now: new Date(Date.UTC(2026, 0, 2, n)) });
const active = { stopHookActive: true };
const failed = { thresholds: { turn: 3, commits: 0, failedReviews: 2 } };

/** A session that was told of reviews 1 and 2 after a tool. */
function told(change: Change = {}) {
  const game = play({ ...failed, ...change });
  const { newId } = game.send("PostToolUse", [1, 2], hour(0));
  return {
    ...game,
    fixId: newId,
    fix: () => game.fixSessions.get(worktree),
    session: () => game.sessions.get("claude:s1")!,
  };
}

describe("close-out", () => {
  test("91 the owner that ends its turn is asked to finish, within the fix session that it has", () => {
    const game = told();
    const { trigger, deliveries, newId, skipped } = game.send("Stop", [1, 2], hour(11));
    expect(skipped).toBe(false);
    expect(trigger).toMatchObject({
      by: "fix_session",
      ids: [],
      unnamed: 0,
      closing: [2, 1],
      fixSessionId: game.fixId,
    });
    expect(game.fix()).toMatchObject({
      id: game.fixId,
      close_outs: 1,
      review_ids: [2, 1],
      expires_at: "2026-01-02T12:00:00.000Z",
    });
    expect(deliveries?.[newId]).toMatchObject({
      triggered_by: "fix_session",
      channel: "block",
      review_ids: [2, 1],
      fix_session_id: game.fixId,
    });
  });

  test("91 counts no turn and no reminder and moves no baseline", () => {
    const game = told();
    const before = game.session();
    game.send("Stop", [1, 2], { scope: { ...scope, head: "c9" } });
    const { blocked_delivery_id: _, ...after } = game.session();
    expect(after).toEqual(before);
  });

  test("91 the Stop that follows is skipped", () => {
    const game = told();
    game.send("Stop", [1, 2]);
    const before = game.session().count;
    const { trigger, skipped } = game.send("Stop", [1, 2, 3, 4], active);
    expect({ trigger, skipped }).toEqual({ trigger: undefined, skipped: true });
    expect(game.session().count).toBe(before);
    expect(game.fix()?.close_outs).toBe(1);
  });

  test("D16 uses up the turn's block, as any other", () => {
    const game = told();
    expect(game.send("Stop", [1, 2], { turnId: "t1" }).trigger).toBeDefined();
    expect(game.send("Stop", [1, 2, 3, 4], { turnId: "t1" })).toMatchObject({ skipped: true });
    expect(game.send("Stop", [1, 2], { turnId: "t2" }).trigger?.by).toBe("fix_session");
  });

  test("D17 names what is new in the same block and takes it on", () => {
    const game = told();
    const { trigger, deliveries, newId } = game.send("Stop", [1, 2, 3, 4]);
    expect(trigger).toMatchObject({
      by: "fix_session",
      ids: [4, 3],
      closing: [2, 1],
      fixSessionId: game.fixId,
    });
    expect(game.fix()?.review_ids).toEqual([2, 1, 4, 3]);
    expect(deliveries?.[newId]?.review_ids).toEqual([2, 1, 4, 3]);
    expect(game.session().remind_count).toBe(2);
    expect(Object.keys(game.session().acknowledged_review_ids?.[lineage] ?? {})).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    game.fixSessions.clear();
    expect(game.send("Stop", [1, 2, 3, 4]).trigger).toBeUndefined();
  });

  test("D17 one new review is enough, whatever the thresholds", () => {
    const game = told();
    expect(game.send("Stop", [1, 2, 3]).trigger).toMatchObject({ ids: [3], closing: [2, 1] });
  });

  test("D17 asks only for what is still open", () => {
    const game = told();
    game.git.settled.add(2);
    expect(game.send("Stop", [1]).trigger?.closing).toEqual([1]);
  });

  test("D17 asks three times, the next end of a turn frees the working tree", () => {
    const game = told();
    for (let turn = 1; turn <= 3; turn++) {
      expect(game.send("Stop", [1, 2], { turnId: `t${turn}` }).trigger?.by).toBe("fix_session");
      expect(game.fix()?.close_outs).toBe(turn);
    }
    expect(game.send("Stop", [1, 2], { turnId: "t4" }).trigger).toBeUndefined();
    expect(game.fix()).toBeUndefined();
    expect(game.session().count).toBe(1);
  });

  test("D17 the turn of the third one ends as well: its active Stop frees the working tree", () => {
    const game = told();
    for (let turn = 1; turn <= 2; turn++) {
      game.send("Stop", [1, 2]);
      game.send("Stop", [1, 2], active);
      expect(game.fix()).toBeDefined();
    }
    game.send("Stop", [1, 2]);
    game.send("Stop", [1, 2], { ...active, scope: null });
    expect(game.fix()).toBeDefined();
    expect(game.send("Stop", [1, 2], active).trigger).toBeUndefined();
    expect(game.fix()).toBeUndefined();
  });

  test("D17 a working tree that became free at this Stop is taken again for what is new", () => {
    const game = told();
    for (let turn = 1; turn <= 3; turn++) game.send("Stop", [1, 2], { turnId: `t${turn}` });
    const { trigger, newId } = game.send("Stop", [1, 2, 3, 4], { turnId: "t4" });
    expect(trigger).toMatchObject({ by: "failed_reviews", ids: [4, 3], fixSessionId: newId });
    expect(game.fix()).toMatchObject({ id: newId, review_ids: [4, 3], close_outs: 0 });
  });

  test("D17 with all its reviews dealt with it ends in silence, and the turn counts", () => {
    const game = told();
    game.git.settled.add(1).add(2);
    expect(game.send("Stop", []).trigger).toBeUndefined();
    expect(game.fix()).toBeUndefined();
    expect(game.session()).toMatchObject({ count: 1, stop_counts_since_prompt: { [lineage]: 1 } });
  });

  test("93 after 12 hours it is over in silence", () => {
    const game = told();
    expect(game.send("Stop", [1, 2], hour(12)).trigger).toBeUndefined();
    expect(game.fix()).toBeUndefined();
  });

  test("94 is asked on another branch of the working tree too", () => {
    const game = told();
    const away: Scope = { ...scope, branch: "feature" };
    expect(game.send("Stop", [], { scope: away }).trigger).toMatchObject({ closing: [2, 1], scope: away });
  });

  test("one of another release, which stored no reviews, is closed out without naming any", () => {
    const game = told();
    game.fixSessions.set(worktree, { ...game.fix()!, review_ids: [] });
    expect(game.send("Stop", [1, 2]).trigger).toMatchObject({ closing: [], ids: [] });
  });

  test("is only for the owner, in its own working tree, at the end of a turn that can be answered", () => {
    const quiet: Change[] = [
      { sessionId: "s2" },
      { agent: "codex" },
      { scope: { ...scope, worktreeRoot: "/w" } },
      { tracked: false },
      { tracked: "unknown" },
      { scope: null },
      { fromSubagent: true },
      { channel: undefined } as never,
      { optedOut: true },
    ];
    for (const change of quiet) {
      const game = told();
      expect(game.send("Stop", [1, 2], change).trigger, JSON.stringify(change)).toBeUndefined();
      expect(game.fix()?.close_outs).toBe(0);
    }
    for (const event of ["PostToolUse", "UserPromptSubmit", "PreToolUse"] as const) {
      expect(told().send(event, [1, 2]).trigger).toBeUndefined();
    }
  });

  test("comes before the queue and before every trigger", () => {
    const game = told();
    const pending = {
      triggered_by: "commit" as const,
      instruction: "",
      tracked_repo_root: "/b",
      worktree_root: "/b",
      lineage_key: "/b\0main",
      created_at: "2026-01-01T00:00:00Z",
    };
    game.sessions.set("claude:s1", { ...game.session(), pending_reminders: { b: pending } });
    game.git.places.set("/b", {
      scope: { ...scope, worktreeRoot: "/b", trackedRoot: "/b" },
      tracked: true,
      openFailed: [9],
    });
    expect(game.send("Stop", [1, 2]).trigger?.by).toBe("fix_session");
    expect(game.session().pending_reminders).toBeDefined();
  });

  test("D25 takes on what it names of very many new reviews, and no more", () => {
    const game = told();
    const ids = Array.from({ length: 80 }, (_, n) => n + 1);
    const { trigger } = game.send("Stop", ids);
    expect(trigger).toMatchObject({ unnamed: 28 });
    expect(trigger?.ids).toHaveLength(50);
    expect(Object.keys(game.session().acknowledged_review_ids?.[lineage] ?? {})).toHaveLength(52);
  });
});
