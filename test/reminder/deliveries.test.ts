import { describe, expect, test } from "bun:test";
import { isActedOn, isConfirmed, stageOf } from "../../src/reminder/deliveries.ts";
import type { Delivery } from "../../src/reminder/state.ts";
import { delivery as given } from "../support/hook-rows.ts";
import { play } from "./game.ts";

const active = { stopHookActive: true };
const later = { now: new Date("2026-01-02T04:00:00Z") };

describe("D28 the record of a text", () => {
  test("says who was told what, where and why", () => {
    const game = play();
    const { newId } = game.send("PostToolUse", [1, 2, 3, 4], { turnId: "t1" });
    expect([...game.deliveries]).toEqual([
      [
        newId,
        {
          agent: "claude",
          session_id: "s1",
          event: "PostToolUse",
          channel: "context",
          triggered_by: "failed_reviews",
          worktree: "/r",
          branch: "main",
          review_ids: [4, 3, 2, 1],
          fix_session_id: newId,
          turn_id: "t1",
          decided_at: "2026-01-02T03:04:05.000Z",
        },
      ],
    ]);
  });

  test("there is none without a text", () => {
    const game = play();
    game.send("PostToolUse", [1]);
    game.send("Stop", [1]);
    expect(game.deliveries.size).toBe(0);
  });

  test("a session that goes on in the turn that was blocked shows that the block arrived", () => {
    const game = play();
    const { newId } = game.send("Stop", [1, 2, 3, 4], { turnId: "t1" });
    game.send("Stop", [1, 2, 3, 4], { turnId: "t1", ...active, ...later });
    expect(game.deliveries.get(newId)?.continued_at).toBe("2026-01-02T04:00:00.000Z");
  });

  test("it shows so once: the time stays, and a later block is marked on its own", () => {
    const game = play();
    const first = game.send("Stop", [1, 2, 3, 4]);
    game.send("Stop", [1, 2, 3, 4], active);
    game.send("Stop", [1, 2, 3, 4], { ...active, ...later });
    expect(game.deliveries.get(first.newId)?.continued_at).toBe("2026-01-02T03:04:05.000Z");
    const second = game.send("Stop", [1, 2, 3, 4]);
    expect(second.trigger?.by).toBe("fix_session");
    expect(game.deliveries.get(second.newId)?.continued_at).toBeUndefined();
    game.send("Stop", [1, 2, 3, 4], { ...active, ...later });
    expect(game.deliveries.get(second.newId)?.continued_at).toBe("2026-01-02T04:00:00.000Z");
  });

  test("another turn shows nothing, by its id", () => {
    const game = play();
    const { newId } = game.send("Stop", [1, 2, 3, 4], { turnId: "t1" });
    game.send("Stop", [], { turnId: "t2", ...active });
    expect(game.deliveries.get(newId)?.continued_at).toBeUndefined();
    expect(game.session.blocked_delivery_id).toBeUndefined();
  });

  test("nor where turns have no ids, once a Stop began one: that somebody else blocked it says nothing of us", () => {
    const game = play();
    const { newId } = game.send("Stop", [1, 2, 3, 4]);
    game.fixSessions.clear();
    game.send("Stop", [1, 2, 3, 4]);
    game.send("Stop", [1, 2, 3, 4], active);
    expect(game.deliveries.get(newId)?.continued_at).toBeUndefined();
  });

  test("Hermes: a second look at the same turn shows it, the end of the turn does not", () => {
    for (const [endsTurn, shown] of [
      [false, true],
      [true, false],
    ] as const) {
      const game = play({ agent: "hermes", turns: { activeFlag: "silences", untilEnd: true } });
      const { newId } = game.send("Stop", [1, 2, 3, 4], { endsTurn: false });
      game.send("Stop", [1, 2, 3, 4], endsTurn ? ({ endsTurn, channel: undefined } as never) : { endsTurn });
      expect(game.deliveries.get(newId)?.continued_at !== undefined).toBe(shown);
    }
  });

  test("context after a tool is not marked by what the turn does next", () => {
    const game = play();
    const { newId } = game.send("PostToolUse", [1, 2, 3, 4]);
    game.send("Stop", [1, 2, 3, 4], active);
    expect(game.deliveries.get(newId)?.continued_at).toBeUndefined();
  });
});

describe("D28 stages", () => {
  const delivery: Delivery = { ...given, review_ids: [7, 8], fix_session_id: "f1" };
  const at = "2026-01-01T00:00:01Z";

  test("come in order, and only that the session went on or acted confirms the arrival", () => {
    const answered = { ...delivery, answered_at: at };
    const continued = { ...answered, continued_at: at };
    const acted = { ...continued, acted_at: at };
    expect([delivery, answered, continued, acted].map(stageOf)).toEqual([
      "decided",
      "answered",
      "continued",
      "acted",
    ]);
    expect([delivery, answered, continued, acted].map(isConfirmed)).toEqual([false, false, true, true]);
    expect(isConfirmed({ ...delivery, acted_at: at })).toBe(true);
  });

  test("a command on a review that was named, from the working tree it was named for, is acting on it", () => {
    const act = (worktree: string, ...reviewIds: number[]) => isActedOn(delivery, { worktree, reviewIds });
    expect([act("/r", 8), act("/r", 1, 7), act("/w", 8), act("/r", 9), act("/r")]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("so is ending its fix session, from anywhere, and the first act counts", () => {
    expect(isActedOn(delivery, { fixSessionId: "f1" })).toBe(true);
    expect(isActedOn(delivery, { fixSessionId: "f2" })).toBe(false);
    expect(isActedOn({ ...delivery, acted_at: at }, { fixSessionId: "f1" })).toBe(false);
    const { fix_session_id: _, ...free } = delivery;
    expect(isActedOn(free, { fixSessionId: "f1" })).toBe(false);
  });
});
