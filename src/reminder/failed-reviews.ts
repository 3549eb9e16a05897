import type { Scope } from "./lineage.ts";
import { withEntry, withoutKeys } from "./session-maps.ts";
import type { Session } from "./state.ts";

/** Ids that one reminder names at most; more would bury the instruction. */
export const maxNamedIds = 50;

/** Open failed reviews that the session was not told about in this lineage, newest first. */
export function unacknowledged(
  session: Session | undefined,
  lineage: string,
  openFailed: readonly number[],
): number[] {
  const known = session?.acknowledged_review_ids?.[lineage];
  const fresh = known === undefined ? [...openFailed] : openFailed.filter((id) => known[id] === undefined);
  return fresh.sort((a, b) => b - a);
}

/** The session after it was told about these reviews. */
export function acknowledge(session: Session, lineage: string, ids: readonly number[]): Session {
  const known = { ...session.acknowledged_review_ids?.[lineage] };
  for (const id of ids) known[String(id)] = {};
  return {
    ...session,
    acknowledged_review_ids: { ...session.acknowledged_review_ids, [lineage]: known },
  };
}

/**
 * Fires when the count reaches the threshold; where it would only be queued, beyond its baseline: what waits there may
 * never come to its place again. Falling below the threshold re-arms it. The count is kept also where 0 switches it off.
 */
export function failedReviewTrigger(
  session: Session,
  scope: Scope,
  lineage: string,
  count: number,
  { threshold, canTell }: { threshold: number; canTell: boolean },
): { fires: boolean; session: Session } {
  const seen: Session = {
    ...session,
    failed_review_count: count,
    last_failed_review_repo: scope.trackedRoot,
    last_failed_review_branch: scope.branch,
  };
  if (threshold <= 0) return { fires: false, session: seen };
  if (count < threshold) return { fires: false, session: withoutBaseline(seen, lineage) };
  const baseline = canTell ? 0 : (session.failed_review_triggered_counts?.[lineage] ?? 0);
  return { fires: count - baseline >= threshold, session: seen };
}

/** The session after the trigger fired into the queue: it takes a whole threshold more to fire again. */
export const withBaseline = (session: Session, lineage: string, count: number): Session =>
  withEntry(session, "failed_review_triggered_counts", lineage, count);

/** The session with the trigger armed again. */
export const withoutBaseline = (session: Session, lineage: string): Session =>
  withoutKeys(session, "failed_review_triggered_counts", [lineage]);
