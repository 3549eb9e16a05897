import fc from "fast-check";
import type { Place } from "../../src/reminder/facts.ts";
import { type Change, play } from "./game.ts";

/** Three working trees, two of them of one repository. */
const roots = [
  { worktreeRoot: "/r", trackedRoot: "/r" },
  { worktreeRoot: "/w", trackedRoot: "/r" },
  { worktreeRoot: "/b", trackedRoot: "/b" },
];

export const where = fc.nat(roots.length - 1);

/** What may happen between two events of a session. */
export const happening = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("fail" as const), where, count: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), where, count: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("checkout" as const),
      where,
      branch: fc.constantFrom("main", "f", ""),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("snooze" as const),
      where,
      hours: fc.integer({ min: -1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.nat(400) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("commit" as const), where, amend: fc.boolean() }) },
);
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** The working trees and their reviews, as git and the database would show them, and the sessions in them. */
export function world(thresholds: NonNullable<Change["thresholds"]>) {
  const game = play({ thresholds });
  let at = Date.UTC(2026, 0, 1);
  let reviews = 0;
  let commits = 0;
  const heads = new Map<string, string>();
  const open = new Map<string, number[]>();
  const places = roots.map((root): Place & { snoozedUntil?: Date } => {
    const scope = { ...root, head: game.git.commit(`${root.worktreeRoot}0`), branch: "main" };
    return { scope, tracked: true, openFailed: [] };
  });
  const line = ({ scope }: Place) => `${scope.worktreeRoot} ${scope.branch}`;
  return {
    game,
    now: () => new Date(at),
    place: (n: number) => places[n] as Place,
    change(change: Happening) {
      if (change.do === "wait") at += change.minutes * 60_000;
      else {
        const place = places[change.where] as Place & { snoozedUntil?: Date };
        const ids = open.get(line(place)) ?? [];
        if (change.do === "fail") {
          for (let n = 0; n < change.count; n++) ids.push(++reviews);
          open.set(line(place), ids);
        } else if (change.do === "close")
          for (const id of ids.splice(0, change.count)) game.git.settled.add(id);
        else if (change.do === "snooze") place.snoozedUntil = new Date(at + change.hours * 3_600_000);
        else {
          const { scope } = place;
          if (change.do === "checkout") {
            heads.set(line(place), scope.head);
            const branch = { ...place, scope: { ...scope, branch: change.branch } };
            place.scope = { ...branch.scope, head: heads.get(line(branch)) ?? scope.head };
          } else {
            const parents = game.git.line(scope.head);
            const parent = change.amend ? parents[1] : parents[0];
            if (parent !== undefined)
              place.scope = { ...scope, head: game.git.commit(`x${++commits}`, parent, { atMs: at }) };
          }
        }
        place.openFailed = [...(open.get(line(place)) ?? [])];
      }
      for (const place of places) game.git.places.set(place.scope.worktreeRoot, place);
    },
  };
}
