import { describe, expect, test } from "bun:test";
import { knownFacts, NeedsFact } from "../../src/reminder/facts.ts";
import { maxNamedIds } from "../../src/reminder/failed-reviews.ts";
import type { Scope } from "../../src/reminder/lineage.ts";
import type { Session } from "../../src/reminder/state.ts";
import { lineage, play, scope } from "./game.ts";

describe("failed-review trigger", () => {
  test("34 fires once when the count reaches the threshold, and stays silent for the same set", () => {
    const game = play();
    expect(game.send("PostToolUse", [1, 2, 3]).trigger).toBeUndefined();
    expect(game.send("PostToolUse", [1, 2, 3, 4]).trigger).toMatchObject({
      by: "failed_reviews",
      ids: [4, 3, 2, 1],
      unnamed: 0,
    });
    expect(game.send("PostToolUse", [1, 2, 3, 4]).trigger).toBeUndefined();
    expect(game.session.remind_count).toBe(1);
  });

  test("42 counts only reviews that this session was not told about (the table of §3.6)", () => {
    const game = play();
    const fired = [
      [1, 2, 3],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5, 6, 7, 8],
      [1, 2],
      [1, 2, 3, 4],
    ].map((ids) => game.send("PostToolUse", ids).trigger?.ids);
    expect(fired).toEqual([undefined, [4, 3, 2, 1], undefined, [8, 7, 6, 5], undefined, undefined]);
  });

  test("36 a new branch is a lineage of its own and is reminded again", () => {
    const game = play();
    expect(game.send("PostToolUse", [1, 2, 3, 4]).trigger).toBeDefined();
    expect(
      game.send("PostToolUse", [1, 2, 3, 4], { scope: { ...scope, branch: "feature" } }).trigger,
    ).toBeDefined();
  });

  test("43 an unknown review source changes no counter and fires nothing", () => {
    const game = play();
    game.send("PostToolUse", [1, 2]);
    const before = structuredClone(game.session);
    for (const tracked of [true, "unknown"] as const) {
      const { trigger, skipped } = game.send("PostToolUse", undefined, { tracked });
      expect({ trigger, skipped }).toEqual({ trigger: undefined, skipped: false });
      expect(game.session).toEqual(before);
    }
  });

  test("a threshold of 0 switches the trigger off, and what is open is still known", () => {
    const game = play({ thresholds: { turn: 0, commits: 0, failedReviews: 0 } });
    expect(game.send("PostToolUse", [1, 2, 3, 4, 5]).trigger).toBeUndefined();
    expect(game.session).toMatchObject({
      failed_review_count: 5,
      last_failed_review_repo: "/r",
      last_failed_review_branch: "main",
    });
    game.send("PostToolUse", []);
    expect(game.session.failed_review_count).toBe(0);
  });

  test("names at most 50 reviews, the newest, and acknowledges only those", () => {
    const ids = Array.from({ length: 60 }, (_, n) => n + 1);
    const game = play();
    const { trigger, actionable } = game.send("Stop", ids);
    expect(actionable).toBe(60);
    expect(trigger?.ids).toHaveLength(maxNamedIds);
    expect(trigger?.ids[0]).toBe(60);
    expect(trigger?.unnamed).toBe(10);
    expect(game.send("PostToolUse", ids).trigger?.ids).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test("nothing is acknowledged for a reminder that cannot be shown, nor for one that never could be", () => {
    const game = play();
    expect(game.send("PostToolUse", [1, 2, 3, 4], { channel: undefined } as never).trigger).toBeUndefined();
    expect(game.session.acknowledged_review_ids).toBeUndefined();
    expect(game.send("Stop", [1, 2, 3, 4], { channel: undefined } as never).trigger).toBeUndefined();
    expect(game.session.acknowledged_review_ids).toBeUndefined();
  });
});

describe("turn trigger", () => {
  test("50 fires at the threshold when a failed review is open, and keeps counting while none is", () => {
    const game = play();
    for (let turn = 1; turn <= 6; turn++) expect(game.send("Stop", []).trigger).toBeUndefined();
    expect(game.session.stop_counts_since_prompt).toEqual({ [lineage]: 6 });
    expect(game.send("Stop", [9]).trigger).toMatchObject({ by: "stop", ids: [9], unnamed: 0, turns: 7 });
    expect(game.session.stop_counts_since_prompt).toBeUndefined();
    expect(game.session.count).toBe(7);
  });

  test("the same open review is not a reason for a second reminder; a new one is", () => {
    const game = play();
    for (let turn = 1; turn <= 4; turn++) game.send("Stop", [9]);
    expect(game.send("Stop", [9]).trigger?.by).toBe("stop");
    game.fixSessions.clear();
    for (let turn = 1; turn <= 6; turn++) expect(game.send("Stop", [9]).trigger).toBeUndefined();
    expect(game.send("Stop", [9, 10]).trigger?.ids).toEqual([10]);
  });

  test("51 a Stop that follows a block is skipped and counts nothing", () => {
    const game = play();
    game.send("Stop", [1, 2, 3, 4]);
    const { blocked_delivery_id: told, ...before } = game.session;
    expect(game.send("Stop", [1, 2, 3, 4, 5, 6, 7, 8], { stopHookActive: true })).toMatchObject({
      skipped: true,
    });
    expect(game.session).toEqual(before as Session);
    expect(game.deliveries.get(told as string)?.continued_at).toBeDefined();
  });

  test("a turn is blocked at most once, also where the harness does not say that it was", () => {
    const game = play();
    expect(game.send("Stop", [1, 2, 3, 4], { turnId: "t1" }).trigger).toBeDefined();
    expect(game.send("Stop", [5, 6, 7, 8], { turnId: "t1" })).toMatchObject({ skipped: true });
    expect(game.session.count).toBe(1);
    expect(game.send("Stop", [5, 6, 7, 8], { turnId: "t2" }).trigger).toBeDefined();
  });

  test("context after a tool does not use up the turn's block", () => {
    const game = play();
    expect(game.send("PostToolUse", [1, 2, 3, 4], { turnId: "t1" }).trigger).toBeDefined();
    expect(game.send("Stop", [1, 2, 3, 4, 5, 6, 7, 8], { turnId: "t1" }).trigger?.ids).toEqual([8, 7, 6, 5]);
  });

  test("54 failed reviews win over the turn count", () => {
    const game = play({ thresholds: { turn: 1, commits: 0, failedReviews: 1 } });
    expect(game.send("Stop", [1]).trigger?.by).toBe("failed_reviews");
  });

  test("55 a reminder in one workspace leaves another's turns alone", () => {
    const game = play({ thresholds: { turn: 2, commits: 0, failedReviews: 0 } });
    const other = { ...scope, trackedRoot: "/b", worktreeRoot: "/b" };
    game.send("Stop", [], { scope: other });
    game.send("Stop", [1]);
    expect(game.send("Stop", [1]).trigger).toBeDefined();
    expect(game.session.stop_counts_since_prompt).toEqual({ "/b\0main": 1 });
  });
});

describe("events that leave no trace", () => {
  test("52 a Stop in an untracked repository", () => {
    expect(play().send("Stop", undefined, { tracked: false })).toMatchObject({
      skipped: true,
    });
  });

  test("53 anything outside git", () => {
    expect(play().send("PostToolUse", [1], { scope: null })).toMatchObject({
      skipped: true,
    });
  });

  test("a Stop of a sub-agent is no turn", () => {
    expect(play().send("Stop", [1, 2, 3, 4], { fromSubagent: true })).toMatchObject({
      skipped: true,
    });
  });
});

test("a sub-agent's command moves the baselines and is told nothing; the parent's next event is", () => {
  const game = play();
  expect(game.send("PostToolUse", [1, 2, 3, 4], { fromSubagent: true }).trigger).toBeUndefined();
  expect(game.session.repo_heads?.[lineage]).toBe("c1");
  expect(game.send("PostToolUse", [1, 2, 3, 4]).trigger).toBeDefined();
});

test("26 an untracked repository's baselines are kept, because it may be registered by its first commit", () => {
  const game = play();
  game.send("PreToolUse", undefined, { tracked: false });
  expect(game.session.repo_heads).toEqual({ "/r\0worktree\0/r": "c1", [lineage]: "c1" });
});

describe("lineage of a detached HEAD", () => {
  const detached: Scope = { ...scope, branch: "", head: "x1" };

  test("20 is kept while the line grows and when a branch is attached to it", () => {
    const game = play();
    game.send("PostToolUse", [], { scope: detached });
    const key = game.session.worktree_lineage_keys?.["/r\0worktree\0/r"];
    expect(key).toBe("/r\0detached\0/r\0x1");
    game.send("PostToolUse", [], { scope: { ...detached, head: "x2" }, ask: (() => true) as never });
    game.send("PostToolUse", [], { scope: { ...scope, head: "x2" }, ask: (() => true) as never });
    expect(game.session.worktree_lineage_keys?.["/r\0worktree\0/r"]).toBe(key as string);
  });

  test("38 is given up for an unrelated checkout", () => {
    const game = play();
    game.send("PostToolUse", [], { scope: detached });
    game.send("PostToolUse", [], { scope: { ...detached, head: "y1" }, ask: (() => false) as never });
    expect(game.session.worktree_lineage_keys?.["/r\0worktree\0/r"]).toBe("/r\0detached\0/r\0y1");
  });

  test("asks for ancestry only when it decides something", () => {
    const game = play();
    game.send("PostToolUse", [], { scope: detached });
    const ask = knownFacts(new Map());
    game.send("PostToolUse", [], { scope: detached, ask });
    expect(() => game.send("PostToolUse", [], { scope: { ...detached, head: "x2" }, ask })).toThrow(
      NeedsFact,
    );
  });

  test("39 two detached worktrees of one commit are independent", () => {
    const game = play();
    game.send("Stop", [1, 2, 3, 4], { scope: detached });
    expect(
      game.send("Stop", [1, 2, 3, 4], { scope: { ...detached, worktreeRoot: "/w2" } }).trigger,
    ).toBeDefined();
  });
});

describe("an event that changes nothing", () => {
  const at = (seconds: number) => ({ now: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)) });

  test("is not written: the disk would be waited for at every shell command", () => {
    const game = play();
    expect(game.send("PostToolUse", [1], at(0)).session).toBeDefined();
    const decision = game.send("PostToolUse", [1], at(59));
    expect(decision).toMatchObject({ skipped: false, actionable: 1 });
    expect(decision.session).toBeUndefined();
  });

  test("is not written either while a command may still be committing", () => {
    const game = play();
    game.send("PreToolUse", [], { ...at(0), commit: "commit" });
    game.send("PostToolUse", [1], { ...at(1), commit: { verb: "commit", background: true } });
    expect(game.session.open_commands).toHaveLength(1);
    expect(game.send("PostToolUse", [1], at(2)).session).toBeUndefined();
  });

  test("but for the time is written once a minute, so that a session in use is never idle", () => {
    const game = play();
    game.send("PostToolUse", [1], at(0));
    expect(game.send("PostToolUse", [1], at(60)).session?.last_seen_at).toBe("2026-01-01T00:01:00.000Z");
  });

  test("is not one that counts a turn, moves HEAD or finds another number of reviews", () => {
    const game = play();
    game.send("PostToolUse", [1], at(0));
    expect(game.send("PostToolUse", [1, 2], at(1)).session).toBeDefined();
    expect(
      game.send("PostToolUse", [1, 2], { ...at(2), scope: { ...scope, head: "c2" } }).session,
    ).toBeDefined();
    expect(game.send("Stop", [1, 2], at(3)).session).toBeDefined();
  });
});
