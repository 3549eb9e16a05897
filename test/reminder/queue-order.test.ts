import { describe, expect, test } from "bun:test";
import type { Scope } from "../../src/reminder/lineage.ts";
import type { PendingReminder } from "../../src/reminder/state.ts";
import { lineage, scope } from "./game.ts";
import { at, begin, failedKey, thresholds } from "./waiting.ts";

describe("the queue at a Stop", () => {
  test("73 one that cannot be told does not hold up the next, and stays", () => {
    const game = begin();
    game.queued(at("/gone"), at("/r"));
    game.stands([5]);
    expect(game.stop().trigger).toMatchObject({ scope: { worktreeRoot: "/r" } });
    expect(Object.values(game.queue()).map((one) => one.worktree_root)).toEqual(["/gone"]);
  });

  test("73 nor does one whose working tree another session is busy in", () => {
    const game = begin();
    game.queued(at("/r"), at("/b"));
    game.send("Stop", [5], {
      agent: "claude",
      thresholds: { ...thresholds, turn: 1 },
      turns: { activeFlag: "silences" },
    });
    game.stands([5]);
    game.stands([6], { trackedRoot: "/b", worktreeRoot: "/b" });
    expect(game.stop().trigger).toMatchObject({ ids: [6], scope: { worktreeRoot: "/b" } });
    expect(Object.values(game.queue()).map((one) => one.worktree_root)).toEqual(["/r"]);
  });

  test("73 while that is so, the next tool neither queues it again nor starts the counters anew", () => {
    const game = begin({ thresholds: { turn: 5, commits: 0, failedReviews: 1 } });
    game.tool([5]);
    game.send("PostToolUse", [5], { agent: "claude", turns: { activeFlag: "silences" } });
    game.stands([5]);
    expect(game.stop({ scope, openFailed: [5], endsTurn: true }).trigger).toBeUndefined();
    game.tool([5]);
    expect(game.session().stop_counts_since_prompt).toEqual({ [lineage]: 1 });
  });

  test("74 a queue that cannot be told does not hold up what the Stop itself has to say", () => {
    const game = begin({ thresholds: { turn: 1, commits: 0, failedReviews: 0 } });
    game.queued({ ...at("/gone") });
    expect(game.stop({ scope, openFailed: [5], endsTurn: true }).trigger).toMatchObject({ by: "stop" });
    expect(Object.keys(game.queue())).toHaveLength(1);
  });

  const failed = { thresholds: { turn: 0, commits: 0, failedReviews: 2 } };

  test("74 reviews that wait for a commit which their detached line has left are told where it is now", () => {
    const game = begin(failed);
    const detached = (head: string): Scope => ({ ...scope, branch: "", head });
    game.tool([5, 6], { scope: detached("c1") });
    game.stands([5, 6], detached("c2"));
    expect(game.stop({ scope: detached("c2"), openFailed: [5, 6] }).trigger?.ids).toEqual([6, 5]);
    expect(game.session().pending_reminders).toBeUndefined();
  });

  test("74 and those that wait in a working tree which their branch has left, in the one that has it now", () => {
    const game = begin(failed);
    game.tool([5, 6]);
    game.stands([], { branch: "other" });
    const linked = { ...scope, worktreeRoot: "/linked" };
    expect(game.stop({ scope: linked, openFailed: [5, 6] }).trigger).toMatchObject({ scope: linked });
    expect(game.session().pending_reminders).toBeUndefined();
  });

  test("74 what is void is dropped at a Stop that goes on to count its turn, whether it tells something or not", () => {
    for (const openFailed of [[], [5]]) {
      const game = begin({ thresholds: { turn: 1, commits: 0, failedReviews: 0 } });
      game.queued(at("/b"));
      game.stands([], { trackedRoot: "/b", worktreeRoot: "/b" });
      const { trigger } = game.stop({ scope, openFailed, endsTurn: true });
      expect(trigger?.by).toBe(openFailed.length > 0 ? "stop" : (undefined as never));
      expect(game.session()).toMatchObject({ count: 1 });
      expect(game.session().pending_reminders).toBeUndefined();
    }
  });

  test("75 an entry of an older release keeps its own text and names the reviews", () => {
    const game = begin();
    game.queued({});
    const { instruction: _, ...legacy } = game.queue()[failedKey] as PendingReminder;
    const pending_reminders = { [failedKey]: { ...legacy, reason: "Fix the reviews of old." } };
    game.sessions.set("hermes:s1", { count: 0, pending_reminders });
    game.stands([5]);
    const { trigger } = game.stop();
    expect(trigger?.queued).toEqual({ instruction: "", reason: "Fix the reviews of old." });
  });

  test("75 one that stored no HEAD is told on any branch", () => {
    const game = begin();
    game.queued({ head: "" });
    game.stands([5], { branch: "other" });
    expect(game.stop().trigger).toBeDefined();
  });

  test("76 failed reviews come before commits, then what waits longest, one at each Stop", () => {
    const game = begin();
    game.queued(
      { ...at("/b"), triggered_by: "commit", commit_count: 2 },
      { ...at("/r"), triggered_by: "commit", commit_count: 3 },
      { ...at("/d"), triggered_by: "failed_reviews" },
      { ...at("/a"), triggered_by: "failed_reviews" },
    );
    for (const root of ["/a", "/b", "/d", "/r"]) game.stands([5], { trackedRoot: root, worktreeRoot: root });
    const told = [1, 2, 3, 4, 5].map(() => {
      game.stop({ endsTurn: true, channel: undefined } as never);
      const { trigger } = game.stop();
      return trigger && [trigger.by, trigger.scope.worktreeRoot, trigger.commits];
    });
    expect(told).toEqual([
      ["failed_reviews", "/d", 0],
      ["failed_reviews", "/a", 0],
      ["commit", "/b", 2],
      ["commit", "/r", 3],
      undefined,
    ]);
  });

  test("76 times of releases that wrote them in another way are compared as times", () => {
    const game = begin();
    game.queued(
      { ...at("/b"), created_at: "2026-01-01T12:00:00.5Z" },
      { ...at("/r"), created_at: "2026-01-01T12:00:00Z" },
      { ...at("/a"), created_at: "2026-01-01T13:30:00+02:00" },
    );
    for (const root of ["/a", "/b", "/r"]) game.stands([5], { trackedRoot: root, worktreeRoot: root });
    const told = [1, 2, 3].map(() => {
      game.stop({ endsTurn: true, channel: undefined } as never);
      return game.stop().trigger?.scope.worktreeRoot;
    });
    expect(told).toEqual(["/a", "/r", "/b"]);
  });

  test("76 of one lineage the commits need no telling once its failed reviews were", () => {
    const game = begin({ thresholds: { turn: 0, commits: 1, failedReviews: 1 } });
    game.commit("c1", "c2", [5]);
    game.stands([5], { head: "c2" });
    expect(game.stop().trigger?.by).toBe("failed_reviews");
    game.stop({ endsTurn: true, channel: undefined } as never);
    expect(game.stop().trigger).toBeUndefined();
    expect(game.session().pending_reminders).toBeUndefined();
  });

  test("a Stop that tells something of its own drops what waits for the same lineage only", () => {
    const game = begin({ thresholds: { turn: 1, commits: 0, failedReviews: 0 } });
    game.queued({ ...at("/gone") }, { branch: "elsewhere" });
    game.stands([5]);
    expect(game.stop({ scope, openFailed: [5], endsTurn: true }).trigger?.by).toBe("stop");
    expect(Object.values(game.queue()).map((one) => one.worktree_root)).toEqual(["/gone"]);
  });

  test("a Stop that tells what waited counts its turn, and leaves what its own place has come to", () => {
    const game = begin({ thresholds: { turn: 2, commits: 0, failedReviews: 0 } });
    game.queued(at("/b"));
    game.stands([6], { trackedRoot: "/b", worktreeRoot: "/b" });
    expect(game.stop({ scope, openFailed: [5], endsTurn: true }).trigger?.ids).toEqual([6]);
    expect(game.session()).toMatchObject({ count: 1, stop_counts_since_prompt: { [lineage]: 1 } });
  });

  test("D22 the next prompt delivers as well, if it comes first", () => {
    const game = begin();
    game.commit("c1", "c2", [5]);
    game.stands([5], { head: "c2" });
    const { trigger } = game.send("UserPromptSubmit", undefined, { scope: null });
    expect(trigger).toMatchObject({ by: "commit", ids: [5] });
    expect(game.stop().trigger).toBeUndefined();
  });

  test("D15 nothing is told or dropped at an event that cannot carry it, nor while the user left it switched off", () => {
    const game = begin();
    game.queued({});
    game.stands([]);
    for (const change of [{ channel: undefined } as never, { optedOut: true }]) {
      expect(game.stop(change).trigger).toBeUndefined();
      expect(Object.keys(game.queue())).toEqual([failedKey]);
    }
  });
});
