import type { Channel, TurnRules } from "../harness/harness.ts";
import { type Ancestry, lineageOf, type Scope, sequenceKeys, worktreeKey } from "./lineage.ts";
import type { Session } from "./state.ts";
import { blockTurn, endTurn, isBlockedTurn, passBlockedTurn, type TurnFacts } from "./turns.ts";

export interface Thresholds {
  /** Turns between reminders; 0 switches the trigger off. */
  turn: number;
  failedReviews: number;
}

/** An event that the policy decides on, with every fact it needs. */
export interface ReminderInput {
  event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "Stop" | "UserPromptSubmit";
  scope: Scope | undefined;
  /** Whether the repository is registered; `unknown` when the database could not say. */
  tracked: boolean | "unknown";
  /** Ids of the open failed reviews of this checkout; undefined when unknown. */
  openFailed: number[] | undefined;
  thresholds: Thresholds;
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
  /** A sub-agent raised the event: it never counts a turn and is never told anything. */
  fromSubagent: boolean;
  isAncestor: Ancestry;
  now: Date;
}

/** A reminder to deliver now. */
export interface Trigger {
  by: "failed_reviews" | "stop";
  /** Reviews it names, newest first. They will not be named again in this lineage. */
  ids: number[];
  /** Open ones beyond those. */
  unnamed: number;
  /** Turns since the last reminder. */
  turns: number;
}

export interface Decision {
  /** The session afterwards; undefined: nothing changes. */
  session: Session | undefined;
  trigger?: Trigger;
  skipped: boolean;
  /** Open failed reviews that nobody was told about. */
  actionable: number;
}

/** Ids that one reminder names at most; more would bury the instruction. */
export const maxNamedIds = 50;

const unchanged: Decision = { session: undefined, skipped: true, actionable: 0 };

/** What an event does to its session, and whether the model is told something. Pure. */
export function decide(before: Session | undefined, input: ReminderInput): Decision {
  const decision = judge(before, input);
  // Every shell command of every session passes here, and every change costs a write that waits for the disk.
  if (before && decision.session && isOnlySeen(before, decision.session))
    return { ...decision, session: undefined };
  return decision;
}

const seenPrecisionMs = 60_000;

/** Nothing but the time of the last event differs, and that by less than a minute. */
function isOnlySeen(before: Session, after: Session): boolean {
  if (before.count !== after.count) return false;
  const { last_seen_at: was = "", ...old } = before;
  const { last_seen_at: is = "", ...now } = after;
  return Date.parse(is) - Date.parse(was) < seenPrecisionMs && JSON.stringify(old) === JSON.stringify(now);
}

function judge(before: Session | undefined, input: ReminderInput): Decision {
  const { scope, event } = input;
  if (!scope) return unchanged;
  const atTurnEnd = event === "Stop" || event === "UserPromptSubmit";
  if (atTurnEnd && (input.fromSubagent || input.tracked !== true)) return unchanged;
  const turn = turnFacts(input);
  if (event === "Stop" && isBlockedTurn(before, turn))
    return { ...unchanged, session: passBlockedTurn(before) };

  const lineage = lineageOf(before, scope, input.isAncestor);
  const observed = observe(before, scope, lineage, input);
  if (event === "PreToolUse" || input.tracked !== true || input.fromSubagent) {
    return { session: observed, skipped: event === "PreToolUse", actionable: 0 };
  }
  if (event === "UserPromptSubmit" && input.wakeUp) {
    const session = input.turnId === undefined ? observed : { ...observed, wake_up_turn_id: input.turnId };
    return { session, skipped: false, actionable: 0 };
  }
  const counted =
    event === "Stop" && isTurn(observed, input) ? countTurn(observed, lineage, input) : observed;
  return remind(endsHere(counted, input, turn), scope, lineage, input);
}

function turnFacts(input: ReminderInput): TurnFacts {
  return {
    rules: input.turns,
    endsTurn: input.endsTurn,
    now: input.now,
    ...(input.turnId === undefined ? {} : { turnId: input.turnId }),
    ...(input.stopHookActive === undefined ? {} : { stopHookActive: input.stopHookActive }),
  };
}

/** A Stop counts if it ends a turn that the user began. */
const isTurn = (session: Session, input: ReminderInput): boolean =>
  input.endsTurn && (input.turnId === undefined || session.wake_up_turn_id !== input.turnId);

/** A turn that failed or was interrupted may have no end event: the next prompt ends it as well. */
const endsHere = (session: Session, input: ReminderInput, turn: TurnFacts): Session =>
  input.endsTurn || input.event === "UserPromptSubmit" ? endTurn(session, turn) : session;

/** Baselines move with every event that has a git position. */
function observe(before: Session | undefined, scope: Scope, lineage: string, input: ReminderInput): Session {
  const heads = { ...before?.repo_heads };
  const atTool = input.event !== "Stop" && input.event !== "UserPromptSubmit";
  const keys = atTool ? sequenceKeys(scope, lineage) : [];
  for (const key of new Set([worktreeKey(scope), ...keys])) heads[key] = scope.head;
  return {
    ...(before ?? { count: 0 }),
    repo_heads: heads,
    worktree_lineage_keys: { ...before?.worktree_lineage_keys, [worktreeKey(scope)]: lineage },
    ...(input.cwd === undefined ? {} : { last_cwd: input.cwd }),
    last_seen_at: input.now.toISOString(),
  };
}

function countTurn(session: Session, lineage: string, input: ReminderInput): Session {
  const turns = session.stop_counts_since_prompt?.[lineage] ?? 0;
  return {
    ...session,
    count: session.count + 1,
    stop_counts_since_prompt: { ...session.stop_counts_since_prompt, [lineage]: turns + 1 },
    ...(input.turnId === undefined ? {} : { last_turn_id: input.turnId }),
  };
}

function remind(session: Session, scope: Scope, lineage: string, input: ReminderInput): Decision {
  if (input.openFailed === undefined) return { session, skipped: false, actionable: 0 };
  const known = session.acknowledged_review_ids?.[lineage] ?? {};
  const fresh = input.openFailed.filter((id) => !Object.hasOwn(known, String(id))).sort((a, b) => b - a);
  const turns = session.stop_counts_since_prompt?.[lineage] ?? 0;
  const { turn, failedReviews } = input.thresholds;

  const failed =
    failedReviews > 0 ? failedReviewTrigger(session, scope, lineage, fresh.length, failedReviews) : undefined;
  const afterFailed = failed?.session ?? session;
  const atTurnEnd = input.event === "Stop" || input.event === "UserPromptSubmit";
  const turnFires = atTurnEnd && turn > 0 && turns >= turn && fresh.length > 0;
  if (input.channel === undefined || !(failed?.fires || turnFires)) {
    return { session: afterFailed, skipped: false, actionable: fresh.length };
  }
  if (input.optedOut) {
    const would = { triggered_by: failed?.fires ? "failed_reviews" : "stop", at: input.now.toISOString() };
    const kept = afterFailed.would_trigger ?? would;
    return { session: { ...afterFailed, would_trigger: kept }, skipped: false, actionable: fresh.length };
  }
  const ids = fresh.slice(0, maxNamedIds);
  const trigger: Trigger = {
    by: failed?.fires ? "failed_reviews" : "stop",
    ids,
    unnamed: fresh.length - ids.length,
    turns,
  };
  return {
    session: deliver(afterFailed, scope, lineage, trigger, input),
    trigger,
    skipped: false,
    actionable: fresh.length,
  };
}

/** Fires when the count reaches the threshold beyond its baseline; falling below the threshold re-arms it. */
function failedReviewTrigger(
  session: Session,
  scope: Scope,
  lineage: string,
  count: number,
  threshold: number,
) {
  const { [lineage]: baseline = 0, ...others } = session.failed_review_triggered_counts ?? {};
  const rearmed = count < threshold;
  const next: Session = {
    ...session,
    failed_review_count: count,
    last_failed_review_repo: scope.trackedRoot,
    last_failed_review_branch: scope.branch,
  };
  return {
    fires: !rearmed && count - baseline >= threshold,
    session: rearmed ? withMap(next, "failed_review_triggered_counts", others) : next,
  };
}

/** The reminder's price: its reviews are acknowledged and the counters of this lineage start again. */
function deliver(
  session: Session,
  scope: Scope,
  lineage: string,
  trigger: Trigger,
  input: ReminderInput,
): Session {
  const acknowledged = { ...session.acknowledged_review_ids?.[lineage] };
  for (const id of trigger.ids) acknowledged[String(id)] = {};
  const { [lineage]: _, ...baselines } = session.failed_review_triggered_counts ?? {};
  const counts = { ...session.stop_counts_since_prompt };
  for (const key of [lineage, ...sequenceKeys(scope, lineage)]) delete counts[key];
  const at = input.now.toISOString();
  const delivered: Session = {
    ...session,
    acknowledged_review_ids: { ...session.acknowledged_review_ids, [lineage]: acknowledged },
    remind_count: (session.remind_count ?? 0) + 1,
    triggered_at: at,
    ...(trigger.by === "failed_reviews" ? { failed_review_triggered_at: at } : {}),
  };
  const told = input.channel === "block" ? blockTurn(delivered, turnFacts(input)) : delivered;
  return withMap(
    withMap(told, "stop_counts_since_prompt", counts),
    "failed_review_triggered_counts",
    baselines,
  );
}

/** Sets a map of the session, or leaves it out when it is empty. */
function withMap(
  session: Session,
  field: "stop_counts_since_prompt" | "failed_review_triggered_counts",
  map: Record<string, number>,
): Session {
  const { [field]: _, ...rest } = session;
  return (Object.keys(map).length === 0 ? rest : { ...rest, [field]: map }) as Session;
}
