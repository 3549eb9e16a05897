import { pendingCommits } from "./commits.ts";
import type { Decision } from "./decision.ts";
import { type Before, isBetweenTurns, isSnoozed, type ReminderInput } from "./input.ts";
import { lineageOf } from "./lineage.ts";
import type { Session } from "./state.ts";
import { evaluateTriggers } from "./triggers.ts";

/** Other working trees looked at in one event: more than a session works in at a time. */
const maxElsewhere = 8;

/**
 * The decision with what is due in other working trees, where nothing is due here: a session that committed there
 * (`git -C`, `cd` in a command) is told what became of it, because no event of its own may ever come from there.
 */
export function lookElsewhere(decision: Decision, before: Before, input: ReminderInput): Decision {
  const session = decision.session ?? before.session;
  if (session === undefined || decision.trigger !== undefined || !isBetweenTurns(input)) return decision;
  if (input.channel === undefined || input.optedOut || input.fromSubagent) return decision;
  for (const worktree of committedIn(session, input.place?.scope.worktreeRoot)) {
    const place = input.ask({ ask: "place", worktree });
    if (place?.tracked !== true || isSnoozed(place, input.now)) continue;
    const found = evaluateTriggers(session, before, input, place, lineageOf(session, place.scope, input.ask));
    if (found.trigger === undefined) continue;
    const trigger = { ...found.trigger, isElsewhere: true };
    return { ...found, trigger, fixSessions: { ...decision.fixSessions, ...found.fixSessions } };
  }
  return decision;
}

/** Other working trees with commits of the session that it was not reminded of, the latest first. */
function committedIn(session: Session, here: string | undefined): string[] {
  return Object.entries(session.worktree_lineage_keys ?? {})
    .filter(([worktree, lineage]) => pendingCommits(session, [worktree, lineage]) > 0)
    .map(([worktree]) => worktree.split("\0")[2] ?? "")
    .filter((worktree) => worktree !== "" && worktree !== here)
    .reverse()
    .slice(0, maxElsewhere);
}
