import type { Clock } from "../../lib/clock.ts";
import { isIdle, withoutAcknowledgements } from "../../reminder/state.ts";
import type { HookLedger } from "../../store/hook-state/ledger.ts";
import type { Store } from "../../store/store.ts";

const keptAfterCloseMs = 30 * 24 * 3_600_000;

/** Forgets sessions idle for 30 days, and acknowledgements of reviews that are gone or were closed 30 days ago. */
export async function pruneHookState(
  ledger: HookLedger,
  database: <T>(work: (store: Store) => T) => Promise<T>,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const gone = await database((store) => {
    const known = new Map<number, boolean>();
    return (jobId: number) => {
      const before = known.get(jobId);
      if (before !== undefined) return before;
      const review = store.reviews.byJob(jobId);
      const closedMs = review?.closed ? Date.parse(review.closed_at ?? "") : Number.NaN;
      const is = review === undefined || closedMs < now.getTime() - keptAfterCloseMs;
      known.set(jobId, is);
      return is;
    };
  });
  await ledger.transact((staged) => {
    for (const key of staged.keys()) {
      const session = staged.get(key);
      if (session === undefined) continue;
      const kept = withoutAcknowledgements(session, gone);
      if (isIdle(session, now)) staged.forget(key);
      else if (kept !== session) staged.put(key, kept);
    }
  });
}
