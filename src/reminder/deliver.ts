import { restartCounters } from "./counters.ts";
import type { Decision, Trigger } from "./decision.ts";
import { deliveryOf } from "./deliveries.ts";
import { acknowledge, maxNamedIds, withoutBaseline } from "./failed-reviews.ts";
import { grant } from "./fix-sessions.ts";
import type { Before, ReminderInput } from "./input.ts";
import { type Scope, worktreeKey } from "./lineage.ts";
import { type Candidate, withoutQueued } from "./queue.ts";
import { withoutKeys } from "./session-maps.ts";
import type { FixSession, PendingReminder, Session } from "./state.ts";
import { blockTurn, turnFacts } from "./turns.ts";

/** What a reminder says beyond which reviews it names. */
type Reason = Pick<Trigger, "by" | "turns" | "commits">;

/** Ids that a reminder names, and how many it does not. */
export function named(fresh: readonly number[]): Pick<Trigger, "ids" | "unnamed"> {
  const ids = fresh.slice(0, maxNamedIds);
  return { ids, unnamed: fresh.length - ids.length };
}

/** The decision to tell now; undefined while another session is busy in the working tree. */
export function deliverNow(
  session: Session,
  before: Before,
  input: ReminderInput,
  what: Reason & { scope: Scope; lineage: string; fresh: readonly number[] },
): Decision | undefined {
  const { by, turns, commits, scope, lineage, fresh } = what;
  const names = named(fresh);
  const fix = take(before, input, scope, lineage, names.ids);
  if (fix === undefined) return undefined;
  const where = input.isElsewhere ? { isElsewhere: true } : {};
  const trigger: Trigger = { by, ...names, turns, commits, scope, ...where, fixSessionId: fix.id };
  const restarted = withoutQueued(restartCounters(session, scope, lineage), lineage);
  return told(withTold(restarted, lineage, trigger, input), input, trigger, fix);
}

/** The same for a reminder that waited: its counters started again when it was queued. */
export function deliverCandidate(
  session: Session,
  before: Before,
  input: ReminderInput,
  { key, pending, place, lineage, fresh }: Candidate,
): Decision | undefined {
  const { lineage_key: queuedIn, instruction = "", reason } = pending;
  const names = named(fresh);
  const fix = take(before, input, place.scope, lineage, names.ids);
  if (fix === undefined) return undefined;
  const trigger: Trigger = {
    by: pending.triggered_by,
    ...names,
    turns: 0,
    commits: pending.commit_count ?? 0,
    scope: place.scope,
    queued: { instruction, ...(reason === undefined ? {} : { reason }) },
    fixSessionId: fix.id,
  };
  const taken = withoutBaseline(withoutKeys(session, "pending_reminders", [key]), queuedIn);
  return told(withTold(taken, lineage, trigger, input), input, trigger, fix, pending);
}

function take(before: Before, input: ReminderInput, scope: Scope, lineage: string, ids: number[]) {
  const wanted = { worktree: scope.worktreeRoot, lineage, ids };
  return grant(before.fixSession(worktreeKey(scope)), wanted, input);
}

/** The decision that carries a text: the turn is used up, the fix session held, the delivery on record. */
export function told(
  session: Session,
  input: ReminderInput,
  trigger: Trigger,
  fix: FixSession,
  pending?: PendingReminder,
): Decision {
  const skill = skillOf(session, trigger, input);
  const warned = skill.warnsOfSkill ? { ...session, skill_warned_at: input.now.toISOString() } : session;
  const blocked: Session =
    input.channel === "block"
      ? { ...blockTurn(warned, turnFacts(input)), blocked_delivery_id: input.newId }
      : warned;
  return {
    session: blocked,
    fixSessions: { [worktreeKey(trigger.scope)]: fix },
    deliveries: { [input.newId]: deliveryOf(trigger, input, pending) },
    trigger: { ...trigger, ...skill },
    skipped: false,
    actionable: trigger.ids.length + trigger.unnamed,
    commits: trigger.commits,
  };
}

/** How the text may speak of the skill. To be asked to finish needs none. */
function skillOf(
  session: Session,
  { closing }: Trigger,
  { ask }: ReminderInput,
): Pick<Trigger, "skill" | "warnsOfSkill"> {
  const skill = closing === undefined ? ask({ ask: "skill" }) : "unknown";
  if (skill === "unknown") return {};
  const isNews = skill !== "present" && session.skill_warned_at === undefined;
  return { skill, ...(isNews ? { warnsOfSkill: true } : {}) };
}

/** The price of a reminder: its reviews are acknowledged, and the failed-review trigger is armed again. */
export function withTold(
  session: Session,
  lineage: string,
  trigger: Trigger,
  { now }: ReminderInput,
): Session {
  const at = now.toISOString();
  return {
    ...withoutBaseline(acknowledge(session, lineage, trigger.ids), lineage),
    failed_review_count: trigger.unnamed,
    remind_count: (session.remind_count ?? 0) + 1,
    triggered_at: at,
    ...(trigger.by === "failed_reviews" ? { failed_review_triggered_at: at } : {}),
    ...(trigger.by === "commit" ? { commit_triggered_at: at } : {}),
  };
}
