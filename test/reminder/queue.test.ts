import { describe, expect, test } from "bun:test";
import type { Place } from "../../src/reminder/facts.ts";
import type { Scope } from "../../src/reminder/lineage.ts";
import { maxQueued } from "../../src/reminder/queue.ts";
import { reminderText } from "../../src/reminder/text.ts";
import { type Change, lineage, scope, worktree } from "./game.ts";
import { begin, commitKey, failedKey, minute } from "./waiting.ts";

describe("queueing", () => {
  test("65 a trigger after a tool is queued: nothing is told, acknowledged, granted or recorded", () => {
    const game = begin();
    const { trigger, deliveries } = game.commit("c1", "c2", [5]);
    expect({ trigger, deliveries }).toEqual({ trigger: undefined, deliveries: undefined });
    expect(game.session().remind_count).toBeUndefined();
    expect(game.session().acknowledged_review_ids).toBeUndefined();
    expect(game.fixSessions.size).toBe(0);
    expect(game.queue()).toEqual({
      [commitKey]: {
        triggered_by: "commit",
        instruction: "",
        tracked_repo_root: "/r",
        worktree_root: "/r",
        branch: "main",
        head: "c2",
        lineage_key: lineage,
        commit_count: 1,
        failed_review_count: 1,
        created_at: "2026-01-02T03:04:05.000Z",
      },
    });
    expect(game.session().commit_shas_since_prompt).toBeUndefined();
  });

  test("65 both triggers of one event are queued", () => {
    const game = begin({ thresholds: { turn: 0, commits: 1, failedReviews: 1 } });
    game.commit("c1", "c2", [5]);
    expect(Object.keys(game.queue()).sort()).toEqual([commitKey, failedKey].sort());
    expect(game.queue()[failedKey]).not.toHaveProperty("commit_count");
  });

  test("68 the identity of the repository is stored, by which it is known again", () => {
    const game = begin();
    game.commit("c1", "c2", [5], { identity: "git@example.com:one" });
    expect(game.queue()[commitKey]?.tracked_repo_identity).toBe("git@example.com:one");
  });

  test("66 a second trigger joins the first: its place in the queue stays, commits add up, HEAD is the newest", () => {
    const game = begin();
    game.commit("c1", "c2", [5], { ...minute(1), instruction: "old" });
    game.commit("c2", "c4", [5, 6], { ...minute(2), instruction: "new" });
    expect(game.queue()).toMatchObject({
      [commitKey]: {
        commit_count: 3,
        failed_review_count: 2,
        head: "c4",
        instruction: "new",
        created_at: "2026-01-01T00:01:00.000Z",
      },
    });
    expect(Object.keys(game.queue())).toHaveLength(1);
  });

  test("a queue that grows too long loses the one that waits longest, which can be queued anew", () => {
    const game = begin({ thresholds: { turn: 0, commits: 0, failedReviews: 1 } });
    const visit = (n: number, time: number) =>
      game.tool([n + 1], { ...minute(time), scope: { ...scope, branch: `b${n}` } });
    const waiting = () => Object.values(game.queue()).map(({ branch }) => branch);
    for (let n = 0; n < maxQueued; n++) visit(n, n);
    visit(0, maxQueued);
    expect(waiting()).toHaveLength(maxQueued);
    visit(maxQueued, maxQueued + 1);
    expect(waiting()).toHaveLength(maxQueued);
    expect(waiting()).not.toContain("b0");
    visit(0, maxQueued + 2);
    expect(waiting()).toContain("b0");
    expect(waiting()).not.toContain("b1");
    expect(Object.keys(game.session().failed_review_triggered_counts ?? {})).toHaveLength(maxQueued);
  });

  test("a turn that ends queues nothing", () => {
    const game = begin({ thresholds: { turn: 1, commits: 0, failedReviews: 1 } });
    const end = { channel: undefined, endsTurn: true, scope } as never;
    expect(game.stop({ openFailed: [5], ...(end as Change) }).trigger).toBeUndefined();
    expect(game.session().pending_reminders).toBeUndefined();
  });
});

test("20 commits that wait keep their branch's own lineage, though HEAD was detached there for a while", () => {
  const game = begin();
  game.commit("c1", "c2", [5]);
  game.tool([5], { scope: { ...scope, branch: "", head: "c2" } });
  game.tool([5], { scope: { ...scope, head: "c2" } });
  expect(game.session().worktree_lineage_keys).toEqual({ [worktree]: lineage });
});

test("72 what waited for a detached line is told once, also when the branch it became was rewritten meanwhile", () => {
  const game = begin({ thresholds: { turn: 0, commits: 0, failedReviews: 2 } });
  game.git.commit("r1");
  game.tool([], { scope: { ...scope, branch: "" } });
  game.tool([5, 6]);
  game.tool([5, 6], { scope: { ...scope, head: "r1" } });
  game.stands([5, 6], { head: "r1" });
  const prompt = { scope: { ...scope, head: "r1" }, openFailed: [5, 6] };
  expect(game.send("UserPromptSubmit", [5, 6], prompt).trigger?.ids).toEqual([6, 5]);
  expect(game.send("UserPromptSubmit", [5, 6], prompt).trigger).toBeUndefined();
});

describe("delivery", () => {
  test("67 waits while its working tree is on another branch, and comes from anywhere once it is back", () => {
    const game = begin();
    game.commit("c1", "c2", [5]);
    game.commit("c2", "c3", [5]);
    game.stands([5], { branch: "other", head: "c1" });
    expect(game.stop().trigger).toBeUndefined();
    game.stands([5], { head: "c9" });
    const { trigger, skipped, deliveries, newId } = game.stop({ cwd: "/tmp" });
    expect(skipped).toBe(false);
    expect(trigger).toMatchObject({
      by: "commit",
      commits: 2,
      ids: [5],
      turns: 0,
      queued: { instruction: "" },
    });
    const text = reminderText({
      trigger: trigger!,
      instruction: "",
      fixGuidelines: "",
      cli: { platform: "linux" },
      maxBytes: 9000,
    });
    expect(text).toContain('2 commits reached in "r". Review job id: 5.');
    expect(text).toContain('the working tree "/r": change to it before');
    expect(deliveries?.[newId]).toMatchObject({
      event: "Stop",
      worktree: "/r",
      queued_at: expect.any(String),
    });
    expect(game.session()).toMatchObject({ remind_count: 1, commit_triggered_at: expect.any(String) });
    expect(game.session().pending_reminders).toBeUndefined();
    expect(game.fixSessions.get(worktree)).toMatchObject({ agent: "hermes", review_ids: [5] });
  });

  test("67 for a detached HEAD only at the very commit", () => {
    const game = begin();
    game.queued({ branch: "", head: "c2" });
    for (const change of [
      { branch: "", head: "c3" },
      { branch: "main", head: "c2" },
    ]) {
      game.stands([5], change);
      expect(game.stop().trigger).toBeUndefined();
    }
    game.stands([5], { branch: "", head: "c2" });
    expect(game.stop().trigger).toMatchObject({ ids: [5], scope: { branch: "", head: "c2" } });
  });

  test("68 waits while another repository is at its place, or the source does not know", () => {
    const game = begin();
    game.queued({ tracked_repo_identity: "git@example.com:one" });
    const waits: [number[] | undefined, Partial<Scope>, Partial<Place>][] = [
      [[5], {}, { identity: "git@example.com:two" }],
      [[5], {}, {}],
      [[5], {}, { tracked: "unknown", identity: "git@example.com:one" }],
      [undefined, {}, { identity: "git@example.com:one" }],
      [[5], { trackedRoot: "/elsewhere" }, { identity: "git@example.com:one" }],
    ];
    for (const [open, change, place] of waits) {
      game.stands(open, change, place);
      expect(game.stop().trigger).toBeUndefined();
      expect(Object.keys(game.queue())).toEqual([failedKey]);
    }
    game.git.places.clear();
    expect(game.stop().trigger).toBeUndefined();
    game.stands([5], {}, { identity: "git@example.com:one" });
    expect(game.stop().trigger).toMatchObject({ by: "failed_reviews" });
  });

  test("69 is dropped where its repository is no longer registered", () => {
    const game = begin();
    game.queued({});
    game.stands([5], {}, { tracked: false });
    expect(game.stop().trigger).toBeUndefined();
    expect(game.session().pending_reminders).toBeUndefined();
  });

  test("70 is dropped, of either kind, when the reviews are dealt with, and re-arms the trigger", () => {
    const game = begin({ thresholds: { turn: 0, commits: 1, failedReviews: 1 } });
    game.commit("c1", "c2", [5]);
    expect(game.session().failed_review_triggered_counts).toEqual({ [lineage]: 1 });
    game.stands([], { head: "c2" });
    expect(game.stop().trigger).toBeUndefined();
    expect(game.session().pending_reminders).toBeUndefined();
    expect(game.session().failed_review_triggered_counts).toBeUndefined();
    expect(game.session().failed_review_count).toBeUndefined();
  });

  test("70 and the count of another place is not touched by that", () => {
    const game = begin({ thresholds: { turn: 0, commits: 0, failedReviews: 1 } });
    game.tool([5]);
    game.tool([6, 7], { scope: { ...scope, branch: "feature" } });
    game.stands([]);
    game.stop();
    expect(game.session()).toMatchObject({ failed_review_count: 2, last_failed_review_branch: "feature" });
  });

  test("71 a review that is opened again is queued again, with the count of then", () => {
    const game = begin({ thresholds: { turn: 0, commits: 0, failedReviews: 2 } });
    game.tool([5, 6], minute(1));
    game.stands([]);
    game.stop(minute(2));
    game.tool([5, 6, 7], minute(3));
    expect(game.queue()).toMatchObject({
      [failedKey]: { failed_review_count: 3, created_at: "2026-01-01T00:03:00.000Z" },
    });
  });

  test("72 acknowledges when it is told, not when it is queued, and names what has come since", () => {
    const game = begin({ thresholds: { turn: 0, commits: 0, failedReviews: 2 } });
    game.tool([5, 6]);
    expect(game.session().acknowledged_review_ids).toBeUndefined();
    game.stands([6, 7, 8]);
    expect(game.stop().trigger?.ids).toEqual([8, 7, 6]);
    expect(game.session().acknowledged_review_ids).toEqual({ [lineage]: { "6": {}, "7": {}, "8": {} } });
    expect(game.session().failed_review_triggered_counts).toBeUndefined();
  });

  test("72 one whose reviews were named meanwhile is dropped", () => {
    const game = begin();
    game.queued({});
    game.sessions.set("hermes:s1", {
      ...game.session(),
      acknowledged_review_ids: { [lineage]: { "5": {} } },
      failed_review_triggered_counts: { [lineage]: 1 },
    });
    game.stands([5]);
    expect(game.stop().trigger).toBeUndefined();
    expect(game.session().pending_reminders).toBeUndefined();
    expect(game.session().failed_review_triggered_counts).toBeUndefined();
  });
});
