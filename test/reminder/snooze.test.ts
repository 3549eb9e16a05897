import { describe, expect, test } from "bun:test";
import type { Ask, Place } from "../../src/reminder/facts.ts";
import type { PendingReminder } from "../../src/reminder/state.ts";
import { lineage, play, worktree } from "./game.ts";
import { at, line } from "./history.ts";

const until = new Date("2026-01-02T12:00:00Z");
const before = new Date(until.getTime() - 1);
const snoozed = { snoozedUntil: until, now: before };
const b = { trackedRoot: "/b", worktreeRoot: "/b" };
const thresholds = { turn: 3, commits: 3, failedReviews: 4 };

const noQuestions: Ask = (question) => {
  throw new Error(`asked ${question.ask}`);
};

describe("a snoozed place", () => {
  test("56 a Stop is skipped, clears what counts towards a reminder and moves the heads", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [1], { commit: "commit" });
    game.send("PostToolUse", [1], { commit: "commit", scope: at("c3") });
    game.send("Stop", [1], { scope: at("c3") });
    const told = { ...game.session, acknowledged_review_ids: { [lineage]: { "7": {} } } };
    game.sessions.set("claude:s1", {
      ...told,
      failed_review_triggered_counts: { [lineage]: 4 },
      commit_counts_since_prompt: { [lineage]: 2 },
    });
    const { trigger, skipped } = game.send("Stop", undefined, {
      ...snoozed,
      scope: at("c5"),
      cwd: "/r/sub",
      ask: noQuestions,
    });
    expect({ trigger, skipped }).toEqual({ trigger: undefined, skipped: true });
    expect(game.session).toEqual({
      count: 1,
      commit_count: 2,
      acknowledged_review_ids: { [lineage]: { "7": {} } },
      last_commit_repo: "/r",
      last_commit_head: "c3",
      last_cwd: "/r/sub",
      last_failed_review_repo: "/r",
      last_failed_review_branch: "main",
      last_seen_at: before.toISOString(),
      repo_heads: { [lineage]: "c5", [worktree]: "c5" },
      worktree_lineage_keys: { [worktree]: lineage },
    });
  });

  test("56 tools are skipped in the same way, whatever they have committed", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [1, 2, 3, 4], { ...snoozed, commit: "commit" });
    const commit = { ...snoozed, commit: "commit", scope: at("c5") };
    expect(game.send("PostToolUse", [1, 2, 3, 4], commit)).toMatchObject({ skipped: true, commits: 0 });
    expect(game.session.repo_heads).toEqual({ [lineage]: "c5", [worktree]: "c5" });
    expect(game.session.open_commands).toBeUndefined();
    expect(game.session.commit_shas_since_prompt).toBeUndefined();
  });

  test("56 commits made there count in no session's life", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [], { ...snoozed, commit: "commit" });
    game.send("PostToolUse", [], { ...snoozed, commit: "commit", scope: at("c5") });
    expect(game.session.commit_count).toBeUndefined();
    expect(game.session.last_commit_head).toBeUndefined();
  });

  test("57 does not touch what another place has come to", () => {
    const game = line({ thresholds });
    game.send("Stop", [1], { scope: at("c1", b) });
    game.send("Stop", [1], { scope: at("c1", b) });
    game.send("Stop", undefined, snoozed);
    expect(game.session.stop_counts_since_prompt).toEqual({ "/b\0main": 2 });
    expect(game.send("Stop", [1], { scope: at("c1", b) }).trigger).toMatchObject({ by: "stop", turns: 3 });
  });

  test("58 commits that were made meanwhile do not count once it is over", () => {
    const game = line({ thresholds });
    game.send("PostToolUse", [1], { scope: at("c1") });
    game.send("PreToolUse", undefined, { ...snoozed, commit: "commit", scope: at("c1") });
    game.send("PostToolUse", undefined, { ...snoozed, commit: "commit", scope: at("c7") });
    const over = { snoozedUntil: until, now: until };
    game.send("PreToolUse", [1], { ...over, commit: "commit", scope: at("c7") });
    expect(game.send("PostToolUse", [1], { ...over, commit: "commit", scope: at("c8") })).toMatchObject({
      commits: 1,
    });
  });

  test("58 nor do those of a command that began before it", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [1], { commit: "commit", scope: at("c1") });
    game.send("PostToolUse", undefined, { ...snoozed, scope: at("c7") });
    const over = { snoozedUntil: until, now: until };
    expect(game.send("PostToolUse", [1], { ...over, scope: at("c7") })).toMatchObject({ commits: 0 });
  });

  test("58 its failed reviews are open all the same, and are told at once", () => {
    const game = line({ thresholds });
    expect(game.send("PostToolUse", [1, 2, 3, 4], snoozed).trigger).toBeUndefined();
    const over = { snoozedUntil: until, now: until };
    expect(game.send("PostToolUse", [1, 2, 3, 4], over).trigger?.by).toBe("failed_reviews");
  });

  test("60 ends exactly at its deadline", () => {
    const game = line({ thresholds });
    expect(game.send("Stop", [1, 2, 3, 4], snoozed)).toMatchObject({ skipped: true });
    expect(game.send("Stop", [1, 2, 3, 4], { snoozedUntil: until, now: until }).trigger).toBeDefined();
  });

  test("W8 its fix session waits, and is finished afterwards", () => {
    const game = line({ thresholds });
    game.send("PostToolUse", [1, 2, 3, 4]);
    expect(game.send("Stop", undefined, snoozed)).toMatchObject({ skipped: true });
    expect(game.fixSessions.get(worktree)?.close_outs).toBe(0);
    expect(game.send("Stop", [1, 2, 3, 4]).trigger?.by).toBe("fix_session");
  });
});

describe("59 queued reminders", () => {
  const pending = (root: string, created: number): PendingReminder => ({
    triggered_by: "failed_reviews",
    instruction: "",
    tracked_repo_root: root,
    worktree_root: root,
    branch: "main",
    head: "c1",
    lineage_key: `${root}\0main`,
    created_at: new Date(created).toISOString(),
  });
  const place = (root: string, more: Partial<Place> = {}): Place => ({
    scope: { worktreeRoot: root, trackedRoot: root, head: "c1", branch: "main" },
    tracked: true,
    openFailed: [1],
    ...more,
  });

  test("of a snoozed place are dropped, that of another one is delivered, also from within the snooze", () => {
    const game = line({ thresholds });
    game.sessions.set("claude:s1", {
      count: 0,
      pending_reminders: { "/r": pending("/r", 1), "/b": pending("/b", 2), "/c": pending("/c", 3) },
    });
    game.git.places.set("/r", place("/r", { snoozedUntil: until }));
    game.git.places.set("/b", place("/b"));
    game.git.places.set("/c", place("/c"));
    const { trigger } = game.send("Stop", undefined, { ...snoozed, scope: at("c1", { branch: "quiet" }) });
    expect(trigger).toMatchObject({ by: "failed_reviews", scope: { worktreeRoot: "/b" } });
    expect(Object.keys(game.session.pending_reminders ?? {})).toEqual(["/c"]);
  });

  test("of the place itself go with the first event in it", () => {
    const game = play({ thresholds, channel: undefined } as never);
    game.send("PostToolUse", [1, 2, 3, 4]);
    game.send("PostToolUse", [1, 2, 3, 4], { scope: at("c1", b) });
    game.send("PreToolUse", undefined, snoozed);
    expect(Object.values(game.session.pending_reminders ?? {}).map((one) => one.worktree_root)).toEqual([
      "/b",
    ]);
  });
});
