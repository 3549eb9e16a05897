import { moveBaselines } from "./commits.ts";
import { restartCounters } from "./counters.ts";
import { withoutBaseline } from "./failed-reviews.ts";
import { type Scope, sequenceKeys } from "./lineage.ts";
import { withoutQueued } from "./queue.ts";
import { withoutField } from "./session-maps.ts";
import type { Session } from "./state.ts";

/**
 * The session after an event in a snoozed place: everything that counts towards a reminder is where it would be after
 * one, so that nothing is made up for when the snooze ends. Lifetime counts and acknowledgements stay.
 */
export function passSnoozed(session: Session, scope: Scope, lineage: string): Session {
  const keys = [lineage, ...sequenceKeys(scope, lineage)];
  const moved = moveBaselines(session, scope, lineage, keys);
  const restarted = withoutBaseline(restartCounters(moved, scope, lineage), lineage);
  return withoutField(withoutQueued(restarted, lineage), "failed_review_count");
}
