import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Place } from "../../src/reminder/facts.ts";
import { maxNamedIds } from "../../src/reminder/failed-reviews.ts";
import { maxCloseOuts } from "../../src/reminder/fix-sessions.ts";
import { worktreeKey } from "../../src/reminder/lineage.ts";
import type { Session } from "../../src/reminder/state.ts";
import type { Change } from "./game.ts";
import { happening, where, world } from "./world.ts";

// What must hold whatever sessions do, in whatever order, in the same few working trees.

const hermes = { activeFlag: "silences", untilEnd: true } as const;
const claude = { activeFlag: "silences" } as const;

const step = fc.oneof(
  { weight: 11, arbitrary: happening },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("event" as const),
      where: fc.option(where),
      agent: fc.constantFrom("claude", "hermes", "cursor"),
      sessionId: fc.constantFrom("s1", "s2"),
      event: fc.constantFrom(
        "PreToolUse",
        "PostToolUse",
        "PostToolUse",
        "Stop",
        "Stop",
        "UserPromptSubmit" as const,
      ),
      commit: fc.boolean(),
      active: fc.boolean(),
      turn: fc.option(fc.nat(3), { nil: undefined }),
      fromSubagent: fc.oneof(
        { weight: 9, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Event = Extract<Step, { do: "event" }>;

function changeOf(step: Event, place: Place | undefined, now: Date): Change {
  const isHermes = step.agent === "hermes";
  const ends = step.event === "Stop" && !(isHermes && !step.active);
  const channel =
    step.event === "Stop"
      ? isHermes && ends
        ? undefined
        : "block"
      : isHermes && step.event === "PostToolUse"
        ? undefined
        : "context";
  return {
    agent: step.agent,
    sessionId: step.sessionId,
    turns: isHermes ? hermes : claude,
    optedOut: step.agent === "cursor",
    scope: place?.scope ?? null,
    openFailed: place?.openFailed,
    ...(place?.snoozedUntil === undefined ? {} : { snoozedUntil: place.snoozedUntil }),
    ...(step.commit && step.event !== "Stop" ? { commit: "commit" } : {}),
    ...(step.event === "Stop" && !isHermes ? { stopHookActive: step.active } : {}),
    ...(step.turn === undefined || isHermes ? {} : { turnId: `t${step.turn}` }),
    endsTurn: ends,
    fromSubagent: step.fromSubagent,
    channel: step.event === "PreToolUse" ? undefined : channel,
    now,
  } as Change;
}

/** For each lineage in which reviews were acknowledged that had not been, those reviews. */
function acknowledgedSince(before: Session | undefined, after: Session | undefined): Set<number>[] {
  return Object.entries(after?.acknowledged_review_ids ?? {})
    .map(([lineage, known]) => {
      const old = before?.acknowledged_review_ids?.[lineage] ?? {};
      return new Set(
        Object.keys(known)
          .filter((id) => old[id] === undefined)
          .map(Number),
      );
    })
    .filter((fresh) => fresh.size > 0);
}

test("no reminder goes where it cannot be heard, to two sessions of a working tree, or names what was named", () => {
  const history = fc.array(step, { minLength: 20, maxLength: 60, size: "max" });
  fc.assert(
    fc.property(history, (steps) => {
      const { game, now, place: placeAt, change } = world({ turn: 2, commits: 2, failedReviews: 3 });
      for (const step of steps) {
        if (step.do !== "event") {
          change(step);
          continue;
        }
        const place = step.where === null ? undefined : placeAt(step.where);
        const input = changeOf(step, place, now());
        const key = `${step.agent}:${step.sessionId}`;
        const given = game.sessions.get(key);
        const before = structuredClone(given);
        const fixes = new Map(game.fixSessions);
        const { trigger, deliveries, fixSessions, newId } = game.send(step.event, undefined, input);
        const after = game.sessions.get(key);
        expect(given).toEqual(before);
        const turns = (after?.count ?? 0) - (before?.count ?? 0);
        expect([0, input.endsTurn && !step.fromSubagent ? 1 : 0]).toContain(turns);

        if (trigger === undefined) {
          for (const fix of Object.values(fixSessions ?? {})) expect(fix).toBeNull();
          expect(deliveries?.[newId]).toBeUndefined();
          expect(acknowledgedSince(before, after)).toEqual([]);
          continue;
        }
        expect(deliveries?.[newId]?.fix_session_id).toBe(trigger.fixSessionId!);
        expect(input.channel).toBeDefined();
        expect(input.optedOut || step.fromSubagent || input.stopHookActive === true).toBe(false);
        if (input.channel === "block" && input.turnId !== undefined)
          expect(before?.blocked_turn_id).not.toBe(input.turnId);

        const there = game.git.places.get(trigger.scope.worktreeRoot) ?? place;
        expect(there?.scope).toEqual(trigger.scope);
        expect((there?.snoozedUntil?.getTime() ?? 0) > now().getTime()).toBe(false);
        const { ids } = trigger;
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
        expect(ids.length).toBeLessThanOrEqual(maxNamedIds);
        expect(ids.filter((id) => !there?.openFailed?.includes(id))).toEqual([]);
        expect(ids.length + (trigger.closing?.length ?? 0)).toBeGreaterThan(0);
        expect(acknowledgedSince(before, after)).toEqual(ids.length === 0 ? [] : [new Set(ids)]);

        const fix = game.fixSessions.get(worktreeKey(trigger.scope))!;
        expect(`${fix.agent}:${fix.session_id} ${fix.id}`).toBe(`${key} ${trigger.fixSessionId}`);
        expect(fix.close_outs).toBeLessThanOrEqual(maxCloseOuts);
        const held = fixes.get(worktreeKey(trigger.scope));
        if (held !== undefined && held.id !== fix.id) {
          const isOver = Date.parse(held.expires_at) <= now().getTime();
          const isDone = held.review_ids.every((id) => game.git.settled.has(id));
          const isSpent = held.close_outs === maxCloseOuts && `${held.agent}:${held.session_id}` === key;
          expect(isOver || isDone || isSpent).toBe(true);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
