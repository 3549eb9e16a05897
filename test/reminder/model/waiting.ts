import type { Trigger } from "../../../src/reminder/decision.ts";
import type { PendingReminder, Session } from "../../../src/reminder/state.ts";
import { must } from "./checks.ts";
import type { World } from "./world.ts";

type Queue = NonNullable<Session["pending_reminders"]>;

const isVoid = ({ worktree_root: worktree, branch = "" }: PendingReminder, world: World): boolean => {
  const place = world.place(worktree, branch);
  return place?.tracked === false || (place?.tracked === true && world.isSnoozed(worktree, branch));
};

/** What waits for a session, by what became of it: queued once, told or dropped once. */
export class Waiting {
  private queue: Queue = {};

  constructor(private readonly world: World) {}

  /** Takes note of what an event queued. `commits`: since the last reminder; undefined: not known. */
  queued(after: Queue | undefined, lineage: string, commits: number | undefined): boolean {
    let isNew = false;
    for (const [key, pending] of Object.entries(after ?? {})) {
      const before = this.queue[key];
      if (pending.lineage_key !== lineage || Bun.deepEquals(before, pending)) continue;
      isNew = true;
      must(
        pending.created_at === (before?.created_at ?? this.world.now.toISOString()),
        "what waits keeps its turn",
        before,
        pending,
      );
      const all = (before?.commit_count ?? 0) + (commits ?? 0);
      if (pending.triggered_by === "commit" && commits !== undefined)
        must((pending.commit_count ?? 0) === all, "(3) commits that wait", before, pending, commits);
      this.queue[key] = pending;
    }
    return isNew;
  }

  /** Something was told that had waited since then. */
  delivered({ by, scope }: Trigger, since: string | undefined): void {
    const here = Object.entries(this.queue).filter(
      ([, { worktree_root: worktree, branch = "", head }]) =>
        worktree === scope.worktreeRoot && branch === scope.branch && (branch !== "" || head === scope.head),
    );
    const told = here.find(([, pending]) => pending.triggered_by === by && pending.created_at === since);
    must(told !== undefined, "only what waits is told as such", by, scope, this.queue);
    must(
      by === "failed_reviews" || !here.some(([, pending]) => pending.triggered_by === "failed_reviews"),
      "failed reviews are told before commits",
      this.queue,
    );
    delete this.queue[(told as [string, PendingReminder])[0]];
  }

  /** A reminder of this lineage, or a snooze of it. */
  forget(lineage: string): void {
    for (const [key, pending] of Object.entries(this.queue))
      if (pending.lineage_key === lineage) delete this.queue[key];
  }

  /** `isLookedAt`: the event could have told anything, and told nothing. */
  check(session: Session | undefined, isLookedAt: boolean): void {
    const left = session?.pending_reminders ?? {};
    for (const [key, pending] of Object.entries(left)) {
      must(Bun.deepEquals(this.queue[key], pending), "what waits is told or dropped once", key, pending);
      must(!isLookedAt || !isVoid(pending, this.world), "(2) nothing waits for a snoozed place", pending);
    }
    this.queue = { ...left };
  }
}
