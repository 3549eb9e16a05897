import { closeOut, isSpent } from "./close-out.ts";
import { moveBaselines } from "./commits.ts";
import { countTurn } from "./counters.ts";
import { type Decision, unchanged } from "./decision.ts";
import { deliverCandidate } from "./deliver.ts";
import { lookElsewhere } from "./elsewhere.ts";
import type { Place } from "./facts.ts";
import { type Before, isBetweenTurns, isNear, isSnoozed, type ReminderInput } from "./input.ts";
import { lineageOf, sequenceKeys, worktreeKey } from "./lineage.ts";
import { openCommand, settleOpenCommands } from "./open-commands.ts";
import { deliverQueued } from "./queue.ts";
import { withoutField } from "./session-maps.ts";
import { passSnoozed } from "./snooze.ts";
import type { Session } from "./state.ts";
import { evaluateTriggers } from "./triggers.ts";
import { endTurn, isBlockedTurn, passBlockedTurn, turnFacts } from "./turns.ts";

/** What an event does to the reminder state, and whether the model is told something. Pure. */
export function decide(before: Before, input: ReminderInput): Decision {
  const decision = judge(before, input);
  const { session, ...rest } = decision;
  if (session === undefined || session === before.session) return rest;
  // Every shell command of every session passes here, and every change costs a write that waits for the disk.
  return before.session && isOnlySeen(before.session, session) ? rest : decision;
}

const seenPrecisionMs = 60_000;

/** Nothing but the time of the last event differs, and that by less than a minute. */
function isOnlySeen(before: Session, after: Session): boolean {
  const now = new Date(after.last_seen_at ?? "");
  if (before.count !== after.count || !isNear(before.last_seen_at, now, seenPrecisionMs)) return false;
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  fields.delete("last_seen_at");
  for (const field of fields) if (!isSame(before[field], after[field])) return false;
  return true;
}

/** What did not change is nearly always the same object: a long list of acknowledgements is not compared in vain. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));

function judge(before: Before, input: ReminderInput): Decision {
  const settled = settleOpenCommands(before.session, input);
  if (isBetweenTurns(input) && input.fromSubagent) return onlySettled(settled);
  if (input.event === "Stop" && isBlockedTurn(settled, turnFacts(input)))
    return passBlocked(settled, before, input);
  return lookElsewhere(judgeHere(settled && endsHere(settled, input), before, input), before, input);
}

/** What is due where the event happened, or waits in the queue. */
function judgeHere(session: Session | undefined, before: Before, input: ReminderInput): Decision {
  const { place, event } = input;
  const betweenTurns = isBetweenTurns(input);
  if (place === undefined) return fromQueue(session, before, input);

  const lineage = lineageOf(session, place.scope, input.ask);
  if (isSnoozed(place, input.now)) {
    return fromQueue(passSnoozed(seen(session, input), place.scope, lineage), before, input);
  }
  if (betweenTurns && place.tracked !== true) return fromQueue(session, before, input);

  const observed = observe(session, place, lineage, input);
  if (event === "PreToolUse") {
    return { ...unchanged, session: input.commit ? openCommand(observed, place.scope, input) : observed };
  }
  if (place.tracked !== true || input.fromSubagent) return { ...onlySettled(observed), skipped: false };
  if (event === "UserPromptSubmit" && input.wakeUp) return { ...onlySettled(observed), skipped: false };
  return betweenTurns
    ? endOfTurn(session, observed, before, input, place, lineage)
    : evaluateTriggers(observed, before, input, place, lineage);
}

const onlySettled = (session: Session | undefined): Decision =>
  session === undefined ? unchanged : { ...unchanged, session };

/** Fix session, queue, triggers, in this order; whatever tells something ends it. */
function endOfTurn(
  session: Session | undefined,
  observed: Session,
  before: Before,
  input: ReminderInput,
  place: Place,
  lineage: string,
): Decision {
  const fix = closeOut(session, before, input, place, lineage);
  if (fix.kind === "told") return fix.decision;
  const released = fix.kind === "released";
  const key = worktreeKey(place.scope);
  const now: Before = released
    ? { ...before, fixSession: (other) => (other === key ? undefined : before.fixSession(other)) }
    : before;
  const counted =
    input.event === "Stop" && isTurn(observed, input) ? countTurn(observed, lineage, input.turnId) : observed;
  const queued = fromQueue(counted, now, input);
  const decision =
    queued.trigger === undefined
      ? evaluateTriggers(queued.session ?? counted, now, input, place, lineage)
      : queued;
  return released ? { ...decision, fixSessions: { [key]: null, ...decision.fixSessions } } : decision;
}

/** A queued reminder, where this event can carry one. */
function fromQueue(session: Session | undefined, before: Before, input: ReminderInput): Decision {
  if (session?.pending_reminders === undefined || !isBetweenTurns(input)) return onlySettled(session);
  if (input.channel === undefined || input.optedOut) return onlySettled(session);
  const { session: looked, delivered } = deliverQueued(session, input, (next, candidate) =>
    deliverCandidate(next, before, input, candidate),
  );
  return delivered ?? onlySettled(looked);
}

/** A Stop in a turn that was blocked is no turn and tells nothing; it shows that the block arrived. */
function passBlocked(session: Session | undefined, before: Before, input: ReminderInput): Decision {
  if (session === undefined) return unchanged;
  const passed = passBlockedTurn(session);
  const key = input.place && worktreeKey(input.place.scope);
  const freed =
    key !== undefined && isSpent(before.fixSession(key), input) ? { fixSessions: { [key]: null } } : {};
  const { blocked_delivery_id: id } = passed;
  const delivery = id === undefined ? undefined : before.delivery(id);
  if (id === undefined || delivery === undefined) return { ...unchanged, ...freed, session: passed };
  const isSameTurn = delivery.turn_id === undefined || delivery.turn_id === input.turnId;
  const arrived = { ...delivery, continued_at: input.now.toISOString() };
  return {
    ...unchanged,
    ...freed,
    session: withoutField(passed, "blocked_delivery_id"),
    ...(isSameTurn ? { deliveries: { [id]: arrived } } : {}),
  };
}

/** A Stop counts if it ends a turn that the user began. */
const isTurn = (session: Session, input: ReminderInput): boolean =>
  input.endsTurn && (input.turnId === undefined || session.wake_up_turn_id !== input.turnId);

/** A turn that failed or was interrupted may have no end event: the next prompt ends it as well. */
const endsHere = (session: Session, input: ReminderInput): Session =>
  input.endsTurn || input.event === "UserPromptSubmit" ? endTurn(session, turnFacts(input)) : session;

/** Baselines move with every event that has a git position. */
function observe(
  session: Session | undefined,
  { scope }: Place,
  lineage: string,
  input: ReminderInput,
): Session {
  const keys = isBetweenTurns(input) ? [] : sequenceKeys(scope, lineage);
  return moveBaselines(seen(session, input), scope, lineage, keys);
}

const seen = (session: Session | undefined, { cwd, now, wakeUp, turnId }: ReminderInput): Session => ({
  ...(session ?? { count: 0 }),
  ...(cwd === undefined ? {} : { last_cwd: cwd }),
  ...(wakeUp && turnId !== undefined ? { wake_up_turn_id: turnId } : {}),
  last_seen_at: now.toISOString(),
});
