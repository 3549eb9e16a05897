import { describe, expect, test } from "bun:test";
import { play, scope } from "./game.ts";

describe("turns of harnesses that say less than Claude Code", () => {
  const stop = { endsTurn: true, channel: "block" } as const;

  test("D16 Qwen: the flag silences only in a turn that we did block", () => {
    const game = play({ turns: { activeFlag: "if-we-blocked" } });
    expect(game.send("Stop", [1, 2, 3, 4], { turnId: "p1", stopHookActive: true }).trigger).toBeDefined();
    expect(game.send("Stop", [5, 6, 7, 8], { turnId: "p1", stopHookActive: true })).toMatchObject({
      skipped: true,
    });
    expect(game.send("Stop", [5, 6, 7, 8], { turnId: "p2", stopHookActive: true }).trigger).toBeDefined();
  });

  test("D16 Qwen: without a prompt id the flag that is not set tells a new turn", () => {
    const game = play({ turns: { activeFlag: "if-we-blocked" } });
    expect(game.send("Stop", [1, 2, 3, 4], { stopHookActive: true }).trigger).toBeDefined();
    expect(game.send("Stop", [5, 6, 7, 8], { stopHookActive: false }).trigger).toBeDefined();
    expect(game.send("Stop", [9], { turnId: "p1", stopHookActive: false }).trigger).toBeDefined();
    expect(game.send("Stop", [10], { stopHookActive: true }).trigger).toBeDefined();
  });

  test("a turn that is counted is remembered by its id", () => {
    const game = play();
    game.send("Stop", [], { turnId: "t1" });
    expect(game.session.last_turn_id).toBe("t1");
    game.send("Stop", []);
    expect(game.session.last_turn_id).toBe("t1");
  });

  test("D16 Gemini: the same prompt is the same turn for its lifetime, whatever the flag says", () => {
    const game = play({ turns: { activeFlag: "silences", lifetimeMs: 1_800_000 } });
    const at = (minute: number) => ({
      turnId: "hash",
      stopHookActive: false,
      now: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    });
    expect(game.send("Stop", [1, 2, 3, 4], at(0)).trigger).toBeDefined();
    expect(game.send("Stop", [5, 6, 7, 8], at(29))).toMatchObject({ skipped: true });
    expect(game.send("Stop", [5, 6, 7, 8], at(30)).trigger).toBeDefined();
  });

  test("D22 Hermes: one block a turn, told at one event, ended and counted by another", () => {
    const game = play({
      turns: { activeFlag: "silences", untilEnd: true },
      thresholds: { turn: 2, commits: 0, failedReviews: 4 },
    });
    const verify = { endsTurn: false, channel: "block" } as const;
    const end = { endsTurn: true, channel: undefined } as never;
    expect(game.send("Stop", [1, 2, 3, 4], verify).trigger?.by).toBe("failed_reviews");
    expect(game.send("Stop", [5, 6, 7, 8], verify)).toMatchObject({ skipped: true });
    expect(game.session.count).toBe(0);
    expect(game.send("Stop", [5, 6, 7, 8], end).trigger).toBeUndefined();
    expect(game.session.count).toBe(1);
    expect(game.send("UserPromptSubmit", [5, 6, 7, 8]).trigger?.ids).toEqual([8, 7, 6, 5]);
    game.send("Stop", [9], end);
    game.send("Stop", [9], end);
    expect(game.send("UserPromptSubmit", [9]).trigger).toMatchObject({ by: "stop", turns: 2 });
  });

  test("Grok Build: the end of a turn that a finished task began is not counted", () => {
    const game = play();
    game.send("UserPromptSubmit", [], { wakeUp: true, turnId: "wake" });
    game.send("Stop", [], { ...stop, turnId: "wake" });
    game.send("Stop", [], { ...stop, turnId: "p1" });
    expect(game.session.count).toBe(1);
  });

  test("Grok Build: nor is it when that turn began in a snoozed place", () => {
    const game = play();
    const snoozedUntil = new Date("2027-01-01");
    game.send("UserPromptSubmit", undefined, { wakeUp: true, turnId: "wake", snoozedUntil });
    game.send("Stop", [], { ...stop, turnId: "wake", scope: { ...scope, worktreeRoot: "/linked" } });
    expect(game.session.count).toBe(0);
  });

  test("D15 Cursor: evaluated and counted, nothing consumed, until the user switches it on", () => {
    const game = play({ optedOut: true });
    expect(game.send("Stop", [1, 2, 3, 4]).trigger).toBeUndefined();
    expect(game.session).toMatchObject({ count: 1, would_trigger: { triggered_by: "failed_reviews" } });
    expect(game.session.acknowledged_review_ids).toBeUndefined();
    expect(game.send("Stop", []).trigger).toBeUndefined();
    expect(game.session.would_trigger).toBeUndefined();
    expect(game.send("Stop", [1, 2, 3, 4], { optedOut: false }).trigger).toBeDefined();
  });

  test("Hermes: a turn that was interrupted after our block is over with the next prompt", () => {
    const game = play({ turns: { activeFlag: "silences", untilEnd: true } });
    const verify = { endsTurn: false, channel: "block" } as const;
    expect(game.send("Stop", [1, 2, 3, 4], verify).trigger).toBeDefined();
    game.send("UserPromptSubmit", [1, 2, 3, 4]);
    expect(game.send("Stop", [5, 6, 7, 8], verify).trigger).toBeDefined();
  });
});
