import type { StoreContext } from "./context.ts";
import type { ActiveSnooze } from "./schema.ts";
import type { Snoozes } from "./store.ts";

interface Times {
  snoozed_until: string;
  updated_at: string;
}
interface Row extends Times {
  repo_id: number;
  worktree_path: string;
  branch: string;
}
type Scope = [repoId: number, worktreePath: string, branch: string];

/** The family and `forget`, to be called when rows went with their repository. */
export function snoozesOf({ db, now, transaction }: StoreContext): Snoozes & { forget(): void } {
  const where = "repo_id = ? AND worktree_path = ? AND branch = ?";
  const one = db.query<Times, Scope>(
    `SELECT snoozed_until, updated_at FROM agent_hook_snoozes WHERE ${where}`,
  );
  const all = db.query<Row, []>("SELECT * FROM agent_hook_snoozes");
  const put = db.query<unknown, [...Scope, until: string, since: string]>(
    "INSERT OR REPLACE INTO agent_hook_snoozes VALUES (?, ?, ?, ?, ?)",
  );
  const remove = db.query<unknown, Scope>(`DELETE FROM agent_hook_snoozes WHERE ${where}`);
  const removePast = db.query<unknown, [string]>(
    "DELETE FROM agent_hook_snoozes WHERE julianday(snoozed_until) <= julianday(?)",
  );
  const named = db.query<ActiveSnooze & Times, []>(
    `SELECT r.name AS repo_name, r.root_path AS repo_path, worktree_path, branch, snoozed_until, updated_at
     FROM agent_hook_snoozes JOIN repos r ON r.id = repo_id WHERE r.active = 1
     ORDER BY r.name, worktree_path, branch`,
  );

  // The daemon is the one writer, so what is remembered is what the table holds. What a transaction sees is not
  // remembered, since it may be rolled back.
  let remembered: Map<string, Period> | undefined;
  const forget = () => {
    remembered = undefined;
  };

  const find = (...scope: Scope): Period | undefined => {
    if (db.inTransaction) {
      const row = one.get(...scope);
      return row === null ? undefined : periodOf(row);
    }
    remembered ??= new Map(
      all.all().map((row) => [keyOf(row.repo_id, row.worktree_path, row.branch), periodOf(row)]),
    );
    return remembered.size === 0 ? undefined : remembered.get(keyOf(...scope));
  };

  return {
    forget,
    until(repoId, worktreePath, branch, at) {
      const period = find(repoId, worktreePath, branch);
      return period !== undefined && holds(period, at) ? new Date(period.untilMs) : undefined;
    },
    set: ({ repoId, worktreePath, branch, until }) =>
      transaction(() => {
        forget();
        removePast.run(now());
        put.run(repoId, worktreePath, branch, until.toISOString(), now());
      }),
    clear: ({ repoId, worktreePath, branch }) => {
      forget();
      remove.run(repoId, worktreePath, branch);
    },
    active: (at) =>
      named
        .all()
        .filter((row) => holds(periodOf(row), at))
        .map(({ updated_at: _, ...snooze }) => snooze),
  };
}

interface Period {
  sinceMs: number;
  untilMs: number;
}

// As numbers: rows of the Go program may spell their times in other ways than ours.
const periodOf = (row: Times): Period => ({
  sinceMs: Date.parse(row.updated_at),
  untilMs: Date.parse(row.snoozed_until),
});

const holds = ({ sinceMs, untilMs }: Period, at: Date): boolean =>
  untilMs > at.getTime() && !(sinceMs > at.getTime());

const keyOf = (...scope: Scope): string => scope.join("\0");
