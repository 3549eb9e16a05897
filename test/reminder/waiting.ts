import type { Place } from "../../src/reminder/facts.ts";
import type { Scope } from "../../src/reminder/lineage.ts";
import { queueKey } from "../../src/reminder/queue.ts";
import type { PendingReminder, Session } from "../../src/reminder/state.ts";
import { type Change, lineage, play, scope } from "./game.ts";

// Hermes: nothing can be said after a tool, so reminders wait for the end of the turn.

const hermes = { agent: "hermes", turns: { activeFlag: "silences", untilEnd: true } } as const;
export const thresholds = { turn: 0, commits: 1, failedReviews: 0 };
export const minute = (n: number) => ({ now: new Date(Date.UTC(2026, 0, 1, 0, n)) });
export const failedKey = queueKey(lineage, "failed_reviews");
export const commitKey = queueKey(lineage, "commit");

/** A session of Hermes, whose commands cannot be answered. `stands` says what is at a place when the queue asks for it. */
export function begin(more: Change = {}) {
  const game = play({ ...hermes, thresholds, ...more });
  game.git.commit("c1");
  for (let n = 2; n <= 9; n++) game.git.commit(`c${n}`, `c${n - 1}`);
  const session = () => game.sessions.get("hermes:s1") as Session;
  return {
    ...game,
    session,
    queue: () => session()?.pending_reminders ?? {},
    stands(openFailed: number[] | undefined, change: Partial<Scope> = {}, place: Partial<Place> = {}) {
      const there = { ...scope, ...change };
      game.git.places.set(there.worktreeRoot, { scope: there, tracked: true, openFailed, ...place });
    },
    tool: (openFailed: number[], change: Change = {}) =>
      game.send("PostToolUse", openFailed, { channel: undefined, ...change } as Change),
    commit(from: string, to: string, openFailed: number[], change: Change = {}) {
      const at = (head: string) => ({ ...scope, ...change.scope, head });
      game.send("PreToolUse", [], { ...change, commit: "commit", scope: at(from) });
      return this.tool(openFailed, { ...change, commit: "commit", scope: at(to) });
    },
    /** The end of the turn, outside of any repository unless told otherwise. */
    stop: (change: Change = {}) => game.send("Stop", undefined, { endsTurn: false, scope: null, ...change }),
    queued(...entries: Partial<PendingReminder>[]) {
      const full = entries.map((entry, n) => {
        const one: PendingReminder = {
          triggered_by: "failed_reviews",
          instruction: "",
          tracked_repo_root: "/r",
          worktree_root: "/r",
          branch: "main",
          head: "c1",
          lineage_key: lineage,
          created_at: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
          ...entry,
        };
        return [queueKey(one.lineage_key, one.triggered_by), one] as const;
      });
      game.sessions.set("hermes:s1", { count: 0, pending_reminders: Object.fromEntries(full) });
    },
  };
}

export const at = (root: string): Partial<PendingReminder> => ({
  tracked_repo_root: root,
  worktree_root: root,
  lineage_key: `${root}\0main`,
});
