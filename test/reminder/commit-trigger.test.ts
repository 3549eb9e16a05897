import { describe, expect, test } from "bun:test";
import { lineage } from "./game.ts";
import { at, line, run } from "./history.ts";

const other = { trackedRoot: "/b", worktreeRoot: "/b" };
const thresholds = { turn: 0, commits: 2, failedReviews: 0 };

describe("commit trigger", () => {
  test("28 waits at its threshold for a review to fail, which any later command may see", () => {
    const game = line({ thresholds });
    run(game, "commit", at("c1"), at("c2"));
    expect(run(game, "commit", at("c2"), at("c3")).trigger).toBeUndefined();
    expect(game.send("PostToolUse", [], { scope: at("c3") }).trigger).toBeUndefined();
    const { trigger, newId } = game.send("PostToolUse", [5], { scope: at("c3") });
    expect(trigger).toMatchObject({ by: "commit", commits: 2, ids: [5], fixSessionId: newId });
    expect(game.session.commit_shas_since_prompt).toBeUndefined();
    expect(game.session).toMatchObject({
      commit_count: 2,
      remind_count: 1,
      triggered_at: "2026-01-02T03:04:05.000Z",
      commit_triggered_at: "2026-01-02T03:04:05.000Z",
    });
    expect(game.session.failed_review_triggered_at).toBeUndefined();
  });

  test("28 then counts from there on, and a review that was named is no reason for another", () => {
    const game = line({ thresholds });
    run(game, "commit", at("c1"), at("c3"), [5]);
    game.fixSessions.clear();
    expect(run(game, "commit", at("c3"), at("c4"), [5, 6])).toMatchObject({ commits: 1, actionable: 1 });
    expect(game.session.remind_count).toBe(1);
    expect(run(game, "commit", at("c4"), at("c5"), [5, 6]).trigger).toMatchObject({ commits: 2, ids: [6] });
    expect(run(game, "commit", at("c5"), at("c9"), [5, 6]).trigger).toBeUndefined();
  });

  test("29 a repository with failed reviews does not use up what is pending in another", () => {
    const game = line({ thresholds });
    run(game, "commit", at("c1"), at("c3"));
    run(game, "commit", at("c1", other), at("c2", other), [5]);
    expect(game.session.commit_shas_since_prompt).toEqual({ [lineage]: ["c2", "c3"], "/b\0main": ["c2"] });
    expect(game.send("PostToolUse", [6], { scope: at("c3") }).trigger).toMatchObject({ commits: 2 });
    expect(game.session.commit_shas_since_prompt).toEqual({ "/b\0main": ["c2"] });
  });

  test("30 nor does a reminder of its failed reviews", () => {
    const game = line({ thresholds: { ...thresholds, failedReviews: 1 } });
    run(game, "commit", at("c1"), at("c3"));
    expect(game.send("PostToolUse", [5], { scope: at("c1", other) }).trigger?.by).toBe("failed_reviews");
    expect(game.session.commit_shas_since_prompt).toEqual({ [lineage]: ["c2", "c3"] });
  });

  test("31 a feature branch does not inherit what is pending on main, where it still fires", () => {
    const game = line({ thresholds });
    run(game, "commit", at("c1"), at("c3"));
    const feature = at("c3", { branch: "feature" });
    expect(game.send("PostToolUse", [5], { scope: feature })).toMatchObject({ commits: 0, actionable: 1 });
    expect(game.send("Stop", [5], { scope: feature }).trigger).toBeUndefined();
    expect(game.send("PostToolUse", [5], { scope: at("c3") }).trigger).toMatchObject({
      by: "commit",
      commits: 2,
    });
  });

  test("32 reports the repository and the count that fired, not those of the session", () => {
    const game = line({ thresholds });
    run(game, "commit", at("c1"), at("c5"));
    const { trigger } = run(game, "commit", at("c1", other), at("c3", other), [5]);
    expect(trigger).toMatchObject({ commits: 2, scope: { worktreeRoot: "/b", branch: "main" } });
    expect(game.session.commit_count).toBe(6);
  });

  test("33 a threshold of 0 never fires", () => {
    const game = line({ thresholds: { ...thresholds, commits: 0 } });
    expect(run(game, "commit", at("c1"), at("c9"), [1, 2, 3, 4, 5]).trigger).toBeUndefined();
    expect(game.send("Stop", [1, 2, 3, 4, 5], { scope: at("c9") }).trigger).toBeUndefined();
  });

  test("D18 fires at a Stop as well, after failed reviews and before turns", () => {
    const all = { turn: 1, commits: 2, failedReviews: 2 };
    const game = line({ thresholds: all });
    run(game, "commit", at("c1"), at("c3"));
    expect(game.send("Stop", [5], { scope: at("c3") }).trigger?.by).toBe("commit");
    const second = line({ thresholds: all });
    run(second, "commit", at("c1"), at("c3"));
    expect(second.send("Stop", [5, 6], { scope: at("c3") }).trigger?.by).toBe("failed_reviews");
  });

  test("whatever fires starts all counters of its place again", () => {
    const game = line({ thresholds: { turn: 9, commits: 9, failedReviews: 2 } });
    run(game, "commit", at("c1"), at("c3"));
    game.send("Stop", [], { scope: at("c3") });
    expect(game.send("PostToolUse", [5, 6], { scope: at("c3") }).trigger).toMatchObject({
      by: "failed_reviews",
      commits: 2,
    });
    expect(game.session.commit_shas_since_prompt).toBeUndefined();
    expect(game.session.stop_counts_since_prompt).toBeUndefined();
  });
});
