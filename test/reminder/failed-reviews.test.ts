import { describe, expect, test } from "bun:test";
import type { Scope } from "../../src/reminder/lineage.ts";
import { lineage, play, scope } from "./game.ts";

const detached = (head: string): Scope => ({ ...scope, branch: "", head });
const thresholds = { turn: 0, commits: 0, failedReviews: 2 };

describe("failed-review trigger over places", () => {
  test("35 another repository or branch fires for fewer reviews than the first one had", () => {
    const game = play({ thresholds });
    expect(game.send("PostToolUse", [1, 2, 3, 4, 5]).trigger).toBeDefined();
    const b = { ...scope, trackedRoot: "/b", worktreeRoot: "/b" };
    expect(game.send("PostToolUse", [6, 7], { scope: b }).trigger).toMatchObject({ ids: [7, 6], scope: b });
    const feature = { ...scope, branch: "feature" };
    expect(game.send("PostToolUse", [8, 9], { scope: feature, agent: "claude" }).trigger?.ids).toEqual([
      9, 8,
    ]);
  });

  test("37 detaching HEAD after a reminder on the branch fires again, going back to the branch does not", () => {
    const game = play({ thresholds });
    game.git.commit("c1");
    expect(game.send("PostToolUse", [1, 2]).trigger).toBeDefined();
    expect(game.send("PostToolUse", [1, 2], { scope: detached("c1") }).trigger?.ids).toEqual([2, 1]);
    expect(game.send("PostToolUse", [1, 2]).trigger).toBeUndefined();
    expect(game.session.worktree_lineage_keys).toEqual({ "/r\0worktree\0/r": lineage });
  });

  test("40 detached heads that are siblings do not share what was told", () => {
    const game = play({ thresholds });
    for (const sibling of ["y", "z"]) game.git.commit(sibling, "x");
    expect(game.send("PostToolUse", [1, 2], { scope: detached("y") }).trigger).toBeDefined();
    expect(game.send("PostToolUse", [1, 2], { scope: detached("z") }).trigger).toBeDefined();
    expect(game.send("PostToolUse", [1, 2], { scope: detached("z") }).trigger).toBeUndefined();
  });

  test("42 what one session was told, another has still to be told", () => {
    const game = play({ thresholds });
    expect(game.send("PostToolUse", [1, 2]).trigger).toBeDefined();
    game.fixSessions.clear();
    expect(game.send("PostToolUse", [1, 2], { sessionId: "s2" }).trigger?.ids).toEqual([2, 1]);
    game.fixSessions.clear();
    expect(game.send("PostToolUse", [1, 2], { agent: "codex" }).trigger?.ids).toEqual([2, 1]);
    game.fixSessions.clear();
    expect(game.send("PostToolUse", [1, 2]).trigger).toBeUndefined();
  });

  test("42 what was told on one branch has still to be told on another, together with what is new there", () => {
    const game = play({ thresholds });
    game.send("PostToolUse", [1, 2]);
    const feature = { ...scope, branch: "feature" };
    expect(game.send("PostToolUse", [1, 2, 3], { scope: feature }).trigger?.ids).toEqual([3, 2, 1]);
    expect(game.session.acknowledged_review_ids).toEqual({
      [lineage]: { "1": {}, "2": {} },
      "/r\0feature": { "1": {}, "2": {}, "3": {} },
    });
    expect(game.send("PostToolUse", [1, 2, 3]).trigger).toBeUndefined();
  });

  test("42 a linked working tree of the same branch name space is a place of its own for detached heads only", () => {
    const game = play({ thresholds });
    game.send("PostToolUse", [1, 2]);
    expect(
      game.send("PostToolUse", [1, 2], { scope: { ...scope, worktreeRoot: "/w" } }).trigger,
    ).toBeUndefined();
    const there = { ...detached("c1"), worktreeRoot: "/w" };
    expect(game.send("PostToolUse", [1, 2], { scope: there }).trigger).toBeDefined();
  });

  test("remembers what it saw where it saw it", () => {
    const game = play({ thresholds });
    game.send("PostToolUse", [1], { scope: { ...scope, branch: "feature" } });
    expect(game.session).toMatchObject({
      failed_review_count: 1,
      last_failed_review_repo: "/r",
      last_failed_review_branch: "feature",
    });
  });
});

describe("41 a trigger that fired into the queue", () => {
  const quiet = { channel: undefined } as never;

  test("takes a whole threshold more to fire again", () => {
    const game = play({ thresholds, ...(quiet as object) });
    const queued = () => Object.values(game.session.pending_reminders ?? {})[0]?.failed_review_count;
    game.send("PostToolUse", [1, 2]);
    expect(game.session.failed_review_triggered_counts).toEqual({ [lineage]: 2 });
    game.send("PostToolUse", [1, 2, 3]);
    expect(queued()).toBe(2);
    game.send("PostToolUse", [1, 2, 3, 4]);
    expect(queued()).toBe(4);
    expect(game.session.failed_review_triggered_counts).toEqual({ [lineage]: 4 });
  });

  test("is armed again below the threshold", () => {
    const game = play({ thresholds, ...(quiet as object) });
    const at = (minute: number) => ({ now: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
    game.send("PostToolUse", [1, 2, 3], at(0));
    game.send("PostToolUse", [1], at(1));
    expect(game.session.failed_review_triggered_counts).toBeUndefined();
    game.send("PostToolUse", [1, 4], at(2));
    expect(game.session.failed_review_triggered_counts).toEqual({ [lineage]: 2 });
  });
});
