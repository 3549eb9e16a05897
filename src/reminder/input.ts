import type { Channel, TurnRules } from "../harness/harness.ts";
import type { Ask, Place } from "./facts.ts";
import type { Delivery, FixSession, Session } from "./state.ts";

export interface Thresholds {
  /** Turns between reminders; 0 switches the trigger off. */
  turn: number;
  /** Commits between reminders; 0 switches the trigger off. */
  commits: number;
  failedReviews: number;
}

/** A command that may commit, as its own event tells of it. */
export interface CommitFact {
  /** The git sub-command, or `unknown`. */
  verb: string;
  toolUseId?: string;
  /** It went to the background and may still be running. */
  background: boolean;
}

/** An event that the policy decides on, with every fact that each one needs. */
export interface ReminderInput {
  event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "Stop" | "UserPromptSubmit";
  agent: string;
  sessionId: string;
  /** Where it happened; undefined outside of git. */
  place: Place | undefined;
  /** The command ran in another working tree than the session's own directory. */
  isElsewhere: boolean;
  /** The shell command of the event can commit. */
  commit?: CommitFact;
  thresholds: Thresholds;
  /** The user's `instruction`, kept with what has to wait; empty: our own. */
  instruction: string;
  /** How text can reach the model in answer to this event; absent: not at all. */
  channel?: Channel;
  /** The user has not switched delivery on: everything is evaluated, nothing consumed. */
  optedOut: boolean;
  turns: TurnRules;
  /** Stop: a turn of the user's own ended. */
  endsTurn: boolean;
  /** UserPromptSubmit: the harness began this turn itself. */
  wakeUp: boolean;
  cwd?: string;
  turnId?: string;
  stopHookActive?: boolean;
  /** A sub-agent raised the event: its commits count, it never counts a turn and is never told anything. */
  fromSubagent: boolean;
  ask: Ask;
  now: Date;
  /** For the delivery or the fix session that this event may begin. */
  newId: string;
}

/** The state that an event may depend on. */
export interface Before {
  session: Session | undefined;
  /** By `worktreeKey`. */
  fixSession(key: string): FixSession | undefined;
  delivery(id: string): Delivery | undefined;
}

/** Stop, and the prompt with which a turn begins: both stand between two turns. */
export const isBetweenTurns = ({ event }: Pick<ReminderInput, "event">): boolean =>
  event === "Stop" || event === "UserPromptSubmit";

export const isSnoozed = (place: Pick<Place, "snoozedUntil">, now: Date): boolean =>
  place.snoozedUntil !== undefined && place.snoozedUntil.getTime() > now.getTime();

/** Whether a stored time is less than this away from now; to either side, because the clock may have been set back. */
export const isNear = (time: string | undefined, now: Date, withinMs: number): boolean =>
  Math.abs(now.getTime() - Date.parse(time ?? "")) < withinMs;
