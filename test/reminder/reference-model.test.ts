import { expect, test } from "bun:test";
import fc from "fast-check";
import { branchKey } from "../../src/reminder/lineage.ts";
import type { Change } from "./game.ts";
import { ReferenceModel } from "./reference-model.ts";
import { happening, where, world } from "./world.ts";

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: happening.filter((change) => change.do !== "checkout" || change.branch !== ""),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("event" as const),
      where,
      agent: fc.constantFrom("claude", "claude", "codex", "cursor"),
      sessionId: fc.constantFrom("s1", "s2"),
      event: fc.constantFrom(
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "Stop",
        "Stop",
        "UserPromptSubmit" as const,
      ),
      turn: fc.nat(9),
      active: fc.constantFrom(false, false, false, true),
      fromSubagent: fc.constantFrom(...Array<boolean>(9).fill(false), true),
    }),
  },
);

test("whatever sessions do in three working trees, what is told, to whom, and every turn that counts is as in the reference model", () => {
  const thresholds = { turn: 2, commits: 0, failedReviews: 15 };
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 80, size: "max" }), (steps) => {
      const { game, now, place: placeAt, change } = world(thresholds);
      const model = new ReferenceModel(thresholds, game.git.settled);
      for (const step of steps) {
        if (step.do !== "event") {
          change(step);
          continue;
        }
        const { event, agent, sessionId, active, fromSubagent } = step;
        const place = placeAt(step.where);
        const key = `${agent}:${sessionId}`;
        const shared = { now: now(), fromSubagent, optedOut: agent === "cursor" };
        const { trigger } = game.send(event, place.openFailed, {
          ...shared,
          agent,
          sessionId,
          scope: place.scope,
          turnId: `t${step.turn}`,
          ...(place.snoozedUntil === undefined ? {} : { snoozedUntil: place.snoozedUntil }),
          ...(event === "Stop" ? { stopHookActive: active } : {}),
        } satisfies Change);
        const told = model.event({ ...shared, event, session: key, place, turn: `t${step.turn}`, active });
        expect(trigger && { by: trigger.by, ids: trigger.ids }).toEqual(told);
        const session = game.sessions.get(key);
        expect(session?.count ?? 0).toBe(model.counts.get(key) ?? 0);
        expect(session?.stop_counts_since_prompt?.[branchKey(place.scope)] ?? 0).toBe(
          model.turnsOf(key, place),
        );
        if (told) seen.set(told.by, (seen.get(told.by) ?? 0) + 1);
      }
    }),
    { numRuns: 2000 },
  );
  // The sequences reach what they are about.
  for (const by of ["failed_reviews", "stop", "fix_session"]) expect(seen.get(by)).toBeGreaterThan(100);
});
