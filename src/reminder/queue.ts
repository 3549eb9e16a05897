import type { Place } from "./facts.ts";
import { unacknowledged, withoutBaseline } from "./failed-reviews.ts";
import { isSnoozed, type ReminderInput } from "./input.ts";
import { branchKey, lineageOf } from "./lineage.ts";
import { withEntry, withoutField, withoutKeys } from "./session-maps.ts";
import type { PendingReminder, Session } from "./state.ts";

export const queueKey = (lineage: string, by: PendingReminder["triggered_by"]): string => `${lineage}\0${by}`;

/** Every end of a turn looks at each place that something waits for, and some of them never come back. */
export const maxQueued = 32;

/**
 * The session after a trigger fired where nothing can be said. Triggers of the same kind and lineage wait as one. Of too
 * many the one that waits longest is dropped, and its trigger armed again.
 */
export function enqueue(session: Session, pending: PendingReminder): Session {
  const key = queueKey(pending.lineage_key, pending.triggered_by);
  const before = session.pending_reminders?.[key];
  const commits = (before?.commit_count ?? 0) + (pending.commit_count ?? 0);
  const queued = withEntry(session, "pending_reminders", key, {
    ...pending,
    created_at: before?.created_at ?? pending.created_at,
    ...(commits > 0 ? { commit_count: commits } : {}),
  });
  const waiting = Object.entries(queued.pending_reminders ?? {});
  if (waiting.length <= maxQueued) return queued;
  const oldest = waiting.reduce((a, b) => (queuedMs(b[1]) < queuedMs(a[1]) ? b : a));
  return dropped(queued, ...oldest);
}

/** The session without anything queued for a lineage. */
export const withoutQueued = (session: Session, lineage: string): Session =>
  withoutKeys(session, "pending_reminders", [
    queueKey(lineage, "failed_reviews"),
    queueKey(lineage, "commit"),
  ]);

/** A queued reminder that can be delivered now, and what it would name. */
export interface Candidate {
  key: string;
  pending: PendingReminder;
  place: Place;
  /** Of the session there by now: a rewrite may have begun a new one since it was queued. */
  lineage: string;
  /** Newest first. */
  fresh: number[];
}

/**
 * Looks through the queue in the order of delivery, up to the first reminder that `deliver` takes. What is void (its
 * place is untracked or snoozed, its reviews are dealt with or known) is dropped on the way; what cannot be judged or
 * delivered now stays.
 */
export function deliverQueued<T>(
  session: Session,
  input: ReminderInput,
  deliver: (session: Session, candidate: Candidate) => T | undefined,
): { session: Session; delivered?: T } {
  let next = session;
  for (const [key, pending] of inOrder(session)) {
    const verdict = judge(next, pending, input);
    if (verdict === "wait") continue;
    if (verdict === "void") {
      next = dropped(next, key, pending);
      continue;
    }
    const delivered = deliver(next, { key, pending, ...verdict });
    if (delivered !== undefined) return { session: next, delivered };
  }
  return { session: next };
}

/** Failed reviews before commits, then the one that waits longest. */
function inOrder(session: Session): [string, PendingReminder][] {
  const rank = ({ triggered_by }: PendingReminder) => (triggered_by === "failed_reviews" ? 0 : 1);
  return Object.entries(session.pending_reminders ?? {}).sort(
    ([keyA, a], [keyB, b]) => rank(a) - rank(b) || queuedMs(a) - queuedMs(b) || compare(keyA, keyB),
  );
}

/** Other releases wrote times with an offset and another number of digits: as texts they do not compare. */
const queuedMs = (pending: PendingReminder): number => Date.parse(pending.created_at);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function judge(
  session: Session,
  pending: PendingReminder,
  { ask, now }: ReminderInput,
): "wait" | "void" | Pick<Candidate, "place" | "lineage" | "fresh"> {
  const { worktree_root: worktree, branch = "" } = pending;
  const identity = pending.tracked_repo_identity || undefined;
  const place = ask({ ask: "place", worktree, branch, ...(identity === undefined ? {} : { identity }) });
  if (place === undefined) return "wait";
  if (place.tracked === false || isSnoozed(place, now)) return "void";
  if (place.tracked === "unknown" || !isSamePlace(pending, place)) return "wait";
  if (identity !== undefined && identity !== place.identity) return "wait";
  if (place.openFailed === undefined) return "wait";
  const lineage = lineageOf(session, place.scope, ask);
  const fresh = unacknowledged(session, lineage, place.openFailed);
  return fresh.length === 0 ? "void" : { place, lineage, fresh };
}

/** The worktree is back where the reminder was triggered, so that the commands it names find the same reviews. */
function isSamePlace(pending: PendingReminder, { scope }: Place): boolean {
  if (scope.worktreeRoot !== pending.worktree_root || scope.trackedRoot !== pending.tracked_repo_root)
    return false;
  if (pending.head === undefined || pending.head === "") return true; // of a release that did not store it
  return pending.branch
    ? scope.branch === pending.branch
    : scope.branch === "" && scope.head === pending.head;
}

function dropped(session: Session, key: string, pending: PendingReminder): Session {
  const next = withoutBaseline(withoutKeys(session, "pending_reminders", [key]), pending.lineage_key);
  const place = { trackedRoot: pending.tracked_repo_root, branch: pending.branch ?? "" };
  const last = {
    trackedRoot: next.last_failed_review_repo ?? "",
    branch: next.last_failed_review_branch ?? "",
  };
  return branchKey(place) === branchKey(last) ? withoutField(next, "failed_review_count") : next;
}
