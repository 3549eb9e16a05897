import { setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { game } from "./model/actions.ts";
import { checkLiveness } from "./model/liveness.ts";
import { Player } from "./model/player.ts";

// Random games of three sessions, of any harness, in three working trees of two repositories: commands, branches,
// reviews, snoozes, prompts, turns. After each event the policy is compared with a model that keeps plain books on
// what was done and told (model/judge.ts). By hand: REMINDER_RUNS=20000 bun test test/reminder/model.test.ts

setDefaultTimeout(3_600_000);

/** A few seconds' worth. */
const runs = Number(process.env.REMINDER_RUNS ?? 400);

test("whatever sessions do, nothing is told twice or while snoozed, and no turn, commit or review is lost", () => {
  fc.assert(
    fc.property(game, (played) => {
      const player = new Player(played);
      for (const action of played.actions) player.play(action);
      checkLiveness(player.hooks, player.conversations);
    }),
    { numRuns: runs, includeErrorInReport: true },
  );
});
