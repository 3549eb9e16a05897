import { describe, expect, test } from "bun:test";
import type { Place } from "../../src/reminder/facts.ts";
import { reminderText } from "../../src/reminder/text.ts";
import { type Change, play, scope } from "./game.ts";

const there = { worktreeRoot: "/w", trackedRoot: "/r", head: "w1", branch: "feature" };
const thresholds = { turn: 0, commits: 0, failedReviews: 1 };

/** A session in `/r` that has committed in the working tree `/w`, where a review fails later. */
function committedThere(change: Change = {}) {
  const game = play({ thresholds, ...change });
  game.git.commit("w1");
  game.git.commit("w2", "w1");
  game.send("PreToolUse", [], { scope: there, commit: "commit", isElsewhere: true });
  const moved = { ...there, head: "w2" };
  game.send("PostToolUse", [], { scope: moved, commit: "commit", isElsewhere: true });
  const stands = (openFailed: number[] | undefined, more: Partial<Place> = {}) =>
    game.git.places.set("/w", { scope: moved, tracked: true, openFailed, ...more });
  return {
    ...game,
    stands,
    get session() {
      return game.session;
    },
  };
}

describe("a session that committed in another working tree", () => {
  test("is told of it at the end of a turn of its own, once, with the place", () => {
    const game = committedThere();
    game.stands([7]);
    expect(game.send("PostToolUse", []).trigger).toBeUndefined();
    const { trigger } = game.send("Stop", []);
    expect(trigger).toMatchObject({
      by: "failed_reviews",
      ids: [7],
      isElsewhere: true,
      scope: { worktreeRoot: "/w" },
    });
    expect(
      reminderText({
        trigger: trigger!,
        instruction: "Do X.",
        fixGuidelines: "",
        cli: { platform: "linux" },
        maxBytes: 9000,
      }),
    ).toContain(
      'Review job id: 7. It belongs to the working tree "/w": change to it before you run roborev commands.',
    );
    expect(game.fixSessions.get("/r\0worktree\0/w")).toMatchObject({ session_id: "s1", review_ids: [7] });
    expect(game.session.count).toBe(1);
    expect(game.send("Stop", [], { turnId: "t2" }).trigger).toBeUndefined();
  });

  test("is told also where it is in no repository, in one that nobody set up, or in a snoozed place", () => {
    const until = new Date("2026-01-02T04:00:00Z");
    for (const here of [{ scope: null }, { tracked: false }, { snoozedUntil: until }]) {
      const game = committedThere();
      game.stands([7]);
      expect(game.send("Stop", [], here).trigger?.ids).toEqual([7]);
    }
  });

  test("is told what is due here first, one thing at a time", () => {
    const game = committedThere();
    game.stands([7]);
    expect(game.send("Stop", [5], { turnId: "t1" }).trigger).toMatchObject({ ids: [5], scope });
    game.git.settled.add(5);
    expect(game.send("Stop", [], { turnId: "t1" }).trigger).toBeUndefined(); // the same turn
    expect(game.send("Stop", [], { turnId: "t2" }).trigger?.ids).toEqual([7]);
  });

  test("is told nothing of a place that is snoozed, not set up, gone or unknown, nor where nothing failed", () => {
    const until = new Date("2026-01-02T04:00:00Z");
    const places: [number[] | undefined, Partial<Place>][] = [
      [[7], { snoozedUntil: until }],
      [[7], { tracked: false }],
      [[7], { tracked: "unknown" }],
      [undefined, {}],
      [[], {}],
    ];
    for (const [openFailed, more] of places) {
      const game = committedThere();
      game.stands(openFailed, more);
      expect(game.send("Stop", []).trigger).toBeUndefined();
    }
    expect(committedThere().send("Stop", []).trigger).toBeUndefined();
  });

  test("is told nothing at an event that cannot carry it, and nothing that it was told there", () => {
    const game = committedThere();
    game.stands([7]);
    expect(game.send("Stop", [], { channel: undefined } as never).trigger).toBeUndefined();
    expect(game.send("Stop", [], { stopHookActive: true }).trigger).toBeUndefined();
    expect(game.send("Stop", [], { fromSubagent: true }).trigger).toBeUndefined();
    expect(game.send("Stop", [], { optedOut: true }).trigger).toBeUndefined();
    expect(game.send("PostToolUse", [7], { scope: { ...there, head: "w2" } }).trigger?.ids).toEqual([7]);
    expect(game.send("Stop", []).trigger).toBeUndefined();
  });

  test("waits while another session is busy there", () => {
    const game = committedThere();
    game.stands([7]);
    game.send("Stop", [7], { sessionId: "s2", scope: { ...there, head: "w2" } });
    expect(game.send("Stop", []).trigger).toBeUndefined();
    game.fixSessions.clear();
    expect(game.send("Stop", []).trigger?.ids).toEqual([7]);
  });
});

test("a command that ran in another working tree than the session's is answered with that place", () => {
  const game = play({ thresholds });
  expect(game.send("PostToolUse", [7], { scope: there, isElsewhere: true }).trigger).toMatchObject({
    isElsewhere: true,
  });
  expect(play({ thresholds }).send("PostToolUse", [7]).trigger?.isElsewhere).toBeUndefined();
});
