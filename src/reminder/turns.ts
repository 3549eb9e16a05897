import type { TurnRules } from "../harness/harness.ts";
import { isNear, type ReminderInput } from "./input.ts";
import { withoutField } from "./session-maps.ts";
import type { Session } from "./state.ts";

/** What an event says of the turn it belongs to. */
export interface TurnFacts {
  rules: TurnRules;
  turnId?: string;
  stopHookActive?: boolean;
  /** A turn of the user's own ended with this event. */
  endsTurn: boolean;
  now: Date;
}

export function turnFacts(input: ReminderInput): TurnFacts {
  return {
    rules: input.turns,
    endsTurn: input.endsTurn,
    now: input.now,
    ...(input.turnId === undefined ? {} : { turnId: input.turnId }),
    ...(input.stopHookActive === undefined ? {} : { stopHookActive: input.stopHookActive }),
  };
}

/** Marks a turn that has no id of its own and lasts until an event ends it. */
const untilEnd = "until-end";

/** Marks a turn that has no id, of a harness whose flag alone says nothing: it lasts until the next Stop. */
const unnamed = "unnamed";

/** Whether a Stop lies in a turn that was blocked already: it is neither a turn nor a chance to deliver. */
export function isBlockedTurn(session: Session | undefined, turn: TurnFacts): boolean {
  if (turn.stopHookActive === true && turn.rules.activeFlag === "silences") return true;
  const blocked = session?.blocked_turn_id;
  if (blocked === undefined) return false;
  if (turn.rules.untilEnd) return blocked === untilEnd && !turn.endsTurn;
  if (turn.turnId === undefined) return blocked === unnamed && turn.stopHookActive === true;
  if (blocked !== turn.turnId) return false;
  const { lifetimeMs } = turn.rules;
  return lifetimeMs === undefined || isNear(session?.blocked_turn_at, turn.now, lifetimeMs);
}

/** The session after a Stop in a turn that was blocked. */
export function passBlockedTurn(session: Session): Session {
  return session.blocked_turn_id === unnamed ? withoutField(session, "blocked_turn_id") : session;
}

/** The session after its turn was blocked. A turn that cannot be told from others is guarded by the harness's flag alone. */
export function blockTurn(session: Session, turn: TurnFacts): Session {
  const { untilEnd: lasts, activeFlag } = turn.rules;
  const id = lasts ? untilEnd : (turn.turnId ?? (activeFlag === "if-we-blocked" ? unnamed : undefined));
  if (id === undefined) return session;
  const at = turn.rules.lifetimeMs === undefined ? {} : { blocked_turn_at: turn.now.toISOString() };
  return { ...session, blocked_turn_id: id, ...at };
}

/**
 * The session after a turn ended: what had no id but its end is over, and if the session goes on from here, that does
 * not show any more that a block arrived.
 */
export function endTurn(session: Session, turn: TurnFacts): Session {
  const ended = turn.endsTurn ? withoutField(session, "blocked_delivery_id") : session;
  return turn.rules.untilEnd && ended.blocked_turn_id === untilEnd
    ? withoutField(ended, "blocked_turn_id")
    : ended;
}
