import { pendingCommits } from "./commits.ts";
import { restartCounters, turnsSince } from "./counters.ts";
import { type Decision, unchanged } from "./decision.ts";
import { deliverNow } from "./deliver.ts";
import type { Place } from "./facts.ts";
import { failedReviewTrigger, unacknowledged, withBaseline } from "./failed-reviews.ts";
import { type Before, isBetweenTurns, type ReminderInput } from "./input.ts";
import { sequenceKeys } from "./lineage.ts";
import { enqueue } from "./queue.ts";
import { withoutField } from "./session-maps.ts";
import type { PendingReminder, Session } from "./state.ts";

type Kind = "failed_reviews" | "commit" | "stop";

/** What the state of a place asks for at this event: nothing, a reminder now, or one that waits for a later event. */
export function evaluateTriggers(
  session: Session,
  before: Before,
  input: ReminderInput,
  place: Place,
  lineage: string,
): Decision {
  const { scope, openFailed } = place;
  const commits = pendingCommits(session, sequenceKeys(scope, lineage));
  if (openFailed === undefined) return { ...unchanged, skipped: false, session, commits };
  const fresh = unacknowledged(session, lineage, openFailed);
  const turns = turnsSince(session, lineage);
  const { turn, commits: commitThreshold, failedReviews: threshold } = input.thresholds;
  const canTell = input.channel !== undefined;
  const failed = failedReviewTrigger(session, scope, lineage, fresh.length, { threshold, canTell });
  const isDue = (threshold: number, count: number) => threshold > 0 && count >= threshold && fresh.length > 0;
  const fired: Kind[] = [];
  if (failed.fires) fired.push("failed_reviews");
  if (isDue(commitThreshold, commits)) fired.push("commit");
  if (isBetweenTurns(input) && isDue(turn, turns)) fired.push("stop");

  const isMoot = fresh.length === 0 || !input.optedOut;
  const quiet = (next: Session): Decision => ({
    // There is nothing to be reminded of any more, or it is told by now.
    session: isMoot ? withoutField(next, "would_trigger") : next,
    skipped: false,
    actionable: fresh.length,
    commits,
  });
  const [by] = fired;
  if (by === undefined) return quiet(failed.session);
  if (input.optedOut) return quiet(withWouldTrigger(failed.session, by, input));
  if (input.channel === undefined) {
    return quiet(isBetweenTurns(input) ? failed.session : postpone(failed.session));
  }
  const told = deliverNow(failed.session, before, input, { by, turns, commits, scope, lineage, fresh });
  // Another session is busy with this working tree: everything stays as it is, to be told once that is over.
  return told ?? quiet(failed.session);

  function postpone(from: Session): Session {
    let next = from;
    for (const kind of fired) {
      if (kind !== "stop") next = enqueue(next, pendingOf(kind, place, lineage, input, { commits, fresh }));
    }
    const restarted = restartCounters(next, scope, lineage);
    return failed.fires ? withBaseline(restarted, lineage, fresh.length) : restarted;
  }
}

/** The first of its kind is kept: since when a reminder would have come. */
const withWouldTrigger = (session: Session, by: Kind, { now }: ReminderInput): Session => ({
  ...session,
  would_trigger: session.would_trigger ?? { triggered_by: by, at: now.toISOString() },
});

function pendingOf(
  kind: PendingReminder["triggered_by"],
  { scope, identity }: Place,
  lineage: string,
  { instruction, now }: ReminderInput,
  { commits, fresh }: { commits: number; fresh: number[] },
): PendingReminder {
  return {
    triggered_by: kind,
    instruction,
    tracked_repo_root: scope.trackedRoot,
    ...(identity === undefined ? {} : { tracked_repo_identity: identity }),
    worktree_root: scope.worktreeRoot,
    ...(scope.branch === "" ? {} : { branch: scope.branch }),
    head: scope.head,
    lineage_key: lineage,
    ...(kind === "commit" ? { commit_count: commits } : {}),
    failed_review_count: fresh.length,
    created_at: now.toISOString(),
  };
}
