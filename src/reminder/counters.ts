import { type Scope, sequenceKeys } from "./lineage.ts";
import { withEntry, withoutKeys } from "./session-maps.ts";
import type { Session } from "./state.ts";

export const turnsSince = (session: Session | undefined, lineage: string): number =>
  session?.stop_counts_since_prompt?.[lineage] ?? 0;

/** The session after a turn of the user's own ended in this lineage. */
export function countTurn(session: Session, lineage: string, turnId: string | undefined): Session {
  const counted: Session = {
    ...session,
    count: session.count + 1,
    ...(turnId === undefined ? {} : { last_turn_id: turnId }),
  };
  return withEntry(counted, "stop_counts_since_prompt", lineage, turnsSince(session, lineage) + 1);
}

/** The session with the turns and commits of this place counted from here on. */
export function restartCounters(session: Session, scope: Scope, lineage: string): Session {
  const keys = [lineage, ...sequenceKeys(scope, lineage)];
  const withoutTurns = withoutKeys(session, "stop_counts_since_prompt", keys);
  const withoutShas = withoutKeys(withoutTurns, "commit_shas_since_prompt", keys);
  return withoutKeys(withoutShas, "commit_counts_since_prompt", keys);
}
