import type { Decision } from "../../../src/reminder/decision.ts";
import { must } from "./checks.ts";
import type { Input } from "./hooks.ts";

/** What the model knows of a place when the policy has decided. */
export interface Known {
  /** Open failed reviews that the session was not told about. */
  fresh: number[];
  turns: number;
  /** Undefined: not known. */
  commits: number | undefined;
  /** No other session is busy there. */
  isFree: boolean;
}

/** A reminder of this place is due, and can be told. */
export function isDue(input: Input, known: Known): boolean {
  const isAny = Object.values(dueKinds(input, known)).some((is) => is);
  return isAny && input.channel !== undefined && !input.optedOut && known.isFree;
}

function dueKinds({ event, thresholds }: Input, { fresh, commits, turns }: Known) {
  const isReached = (threshold: number, count: number) =>
    threshold > 0 && count >= threshold && fresh.length > 0;
  return {
    failed_reviews: isReached(thresholds.failedReviews, fresh.length),
    commit: isReached(thresholds.commits, commits ?? 0),
    stop: (event === "Stop" || event === "UserPromptSubmit") && isReached(thresholds.turn, turns),
  };
}

/** A reminder comes exactly when one is due, and says how much has come to what. */
export function checkDue({
  input,
  decision,
  known,
}: {
  input: Input;
  decision: Decision;
  known: Known;
}): void {
  const { trigger } = decision;
  const { fresh, turns, commits } = known;
  if (trigger === undefined) {
    must(!isDue(input, known), "(6) what is due is told", input.event, input.thresholds, known);
    must(decision.actionable === fresh.length, "the answer counts reviews", decision, known);
    must(decision.commits === (commits ?? decision.commits), "the answer counts commits", decision, known);
  } else if (trigger.queued === undefined && trigger.by !== "fix_session") {
    const isKnown = trigger.by !== "commit" || commits !== undefined;
    const isReason = dueKinds(input, known)[trigger.by] || !isKnown;
    must(isReason, "only what is due is told", trigger, input.thresholds, known);
    const counts = [trigger.turns, trigger.commits, trigger.ids.length + trigger.unnamed];
    const expected = [turns, commits ?? trigger.commits, fresh.length];
    must(Bun.deepEquals(counts, expected), "a reminder says how much there is", trigger, known);
  }
}
