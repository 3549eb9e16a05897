import type { Session } from "../../../src/reminder/state.ts";
import { must } from "./checks.ts";
import { isDetachedLineage, type Ledger, placeOf } from "./ledger.ts";
import type { World } from "./world.ts";

const branches = ["", "main", "f1", "f2", "f3"];

/** Where commits are counted for a detached line and for the branch that it became, the policy may count more. */
export function takePolicysWord(ledger: Ledger, session: Session | undefined, world: World): void {
  for (const worktree of world.worktrees) {
    const { branch } = world.repository(worktree).head(worktree);
    const lineage = session?.worktree_lineage_keys?.[worktreeKeyOf(worktree, world)];
    if (branch === "" || lineage === undefined || !isDetachedLineage(lineage)) continue;
    must((session?.commit_count ?? 0) >= ledger.commits, "(3) no commit is lost", session, ledger.commits);
    ledger.commits = session?.commit_count ?? 0;
    ledger.vague.add(placeOf(worktree, "")).add(placeOf(worktree, branch));
  }
}

/** Turns and commits, of the session's life and since the last reminder, are what the model has. */
export function checkCounts(ledger: Ledger, session: Session | undefined, world: World): void {
  must((session?.count ?? 0) === ledger.turns, "(3) turns", session, ledger.turns);
  must((session?.commit_count ?? 0) === ledger.commits, "(3) commits", session, ledger.commits);
  const turns = Object.fromEntries(ledger.turnsSince);
  const counted = session?.stop_counts_since_prompt ?? {};
  must(Bun.deepEquals(counted, turns), "(3) turns since the last reminder", session, turns);
  const shas = session?.commit_shas_since_prompt ?? {};
  for (const worktree of world.worktrees) {
    for (const branch of branches) {
      const place = placeOf(worktree, branch);
      const key = branch === "" ? worktreeKeyOf(worktree, world) : `${rootOf(worktree, world)}\0${branch}`;
      if (ledger.vague.has(place)) ledger.pending.set(place, shas[key] ?? []);
      const pending = ledger.pending.get(place) ?? [];
      must(Bun.deepEquals(shas[key] ?? [], pending), "(3) commits since", place, shas[key], pending);
    }
  }
}

const rootOf = (worktree: string, world: World): string => world.repository(worktree).root;
const worktreeKeyOf = (worktree: string, world: World): string =>
  `${rootOf(worktree, world)}\0worktree\0${worktree}`;
