import { describe, expect, test } from "bun:test";
import { lineage, scope } from "./game.ts";
import { at, line } from "./history.ts";

const thresholds = { turn: 1, commits: 1, failedReviews: 1 };
const sub = { fromSubagent: true };

describe("D21 a sub-agent", () => {
  test("its commits count in the session, which is told at its own next event", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [5], { ...sub, commit: "commit" });
    const { trigger } = game.send("PostToolUse", [5], { ...sub, commit: "commit", scope: at("c3") });
    expect(trigger).toBeUndefined();
    expect(game.session.commit_shas_since_prompt).toEqual({ [lineage]: ["c2", "c3"] });
    expect(game.session.acknowledged_review_ids).toBeUndefined();
    expect(game.send("PostToolUse", [5], { scope: at("c3") }).trigger).toMatchObject({
      by: "failed_reviews",
      commits: 2,
    });
  });

  test("its own ends and prompts count no turn, answer nothing and tell nothing of the queue", () => {
    for (const event of ["Stop", "UserPromptSubmit"] as const) {
      const game = line({ thresholds });
      game.sessions.set("claude:s1", {
        count: 0,
        pending_reminders: {
          b: {
            triggered_by: "commit",
            instruction: "",
            tracked_repo_root: "/r",
            worktree_root: "/r",
            branch: "main",
            head: "c1",
            lineage_key: lineage,
            created_at: "2026-01-01T00:00:00Z",
          },
        },
      });
      game.git.places.set("/r", { scope, tracked: true, openFailed: [5] });
      const before = game.session;
      expect(game.send(event, [5], sub)).toMatchObject({ skipped: true });
      expect(game.session).toEqual(before);
    }
  });

  test("its Stop shows nothing of a block that the session was given", () => {
    const game = line({ thresholds });
    const { newId } = game.send("Stop", [5]);
    game.send("Stop", [5], { ...sub, stopHookActive: true });
    expect(game.deliveries.get(newId)?.continued_at).toBeUndefined();
  });

  test("queues nothing either", () => {
    const game = line({ thresholds });
    game.send("PostToolUse", [5], { ...sub, channel: undefined } as never);
    expect(game.session.pending_reminders).toBeUndefined();
  });

  test("in a record of its own, where the parent is not named, is never told anything", () => {
    const game = line({ thresholds });
    game.send("PreToolUse", [5], { ...sub, sessionId: "child", commit: "commit" });
    for (const head of ["c3", "c4"]) {
      const { trigger } = game.send("PostToolUse", [5], { ...sub, sessionId: "child", scope: at(head) });
      expect(trigger).toBeUndefined();
    }
    expect(game.sessions.get("claude:child")?.commit_shas_since_prompt).toEqual({ [lineage]: ["c2", "c3"] });
  });
});
