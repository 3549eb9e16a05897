import { restartCounters } from "./counters.ts";
import type { Decision, Trigger } from "./decision.ts";
import { named, told, withTold } from "./deliver.ts";
import type { Place } from "./facts.ts";
import { unacknowledged } from "./failed-reviews.ts";
import { isOwner, maxCloseOuts, unfinished } from "./fix-sessions.ts";
import type { Before, ReminderInput } from "./input.ts";
import { worktreeKey } from "./lineage.ts";
import type { FixSession, Session } from "./state.ts";

/** What a turn's end means for the fix session of the working tree, if this session owns it. */
export type FixOutcome = { kind: "none" } | { kind: "released" } | { kind: "told"; decision: Decision };

/**
 * The owner of a fix session that ends its turn with open reviews is asked to finish, with whatever is new in the
 * same text, a few times at most. A fix session with nothing left to do, or that was asked often enough, is over.
 */
export function closeOut(
  session: Session | undefined,
  before: Before,
  input: ReminderInput,
  place: Place,
  lineage: string,
): FixOutcome {
  const fix = before.fixSession(worktreeKey(place.scope));
  if (input.event !== "Stop" || fix === undefined || !isOwner(fix, input)) return { kind: "none" };
  const open = unfinished(fix, input.now, input.ask);
  if (open === undefined || fix.close_outs >= maxCloseOuts) return { kind: "released" };
  if (input.channel === undefined || input.optedOut) return { kind: "none" };
  return { kind: "told", decision: ask(session ?? { count: 0 }, input, place, lineage, fix, open) };
}

/** Whether the owner was asked for the last time: the next end of its turn frees the working tree. */
export const isSpent = (fix: FixSession | undefined, input: ReminderInput): boolean =>
  fix !== undefined && isOwner(fix, input) && fix.close_outs >= maxCloseOuts;

function ask(
  session: Session,
  input: ReminderInput,
  { scope, openFailed }: Place,
  lineage: string,
  fix: FixSession,
  open: number[],
): Decision {
  const fresh = unacknowledged(session, lineage, openFailed ?? []).filter((id) => !open.includes(id));
  const trigger: Trigger = {
    by: "fix_session",
    ...named(fresh),
    turns: 0,
    commits: 0,
    scope,
    fixSessionId: fix.id,
    closing: open,
  };
  const asked = {
    ...fix,
    close_outs: fix.close_outs + 1,
    review_ids: [...new Set([...fix.review_ids, ...trigger.ids])],
  };
  const next =
    trigger.ids.length === 0
      ? session
      : withTold(restartCounters(session, scope, lineage), lineage, trigger, input);
  return told(next, input, trigger, asked);
}
