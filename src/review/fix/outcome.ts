import type { ReviewerOutcome } from "../agents/outcome.ts";
import type { Account } from "./account.ts";
import type { TreeChange } from "./tree-change.ts";

export type FixOutcomeKind =
  /** A commit was made. */
  | "fixed"
  /** A commit was made, and findings were put off with a reason. */
  | "partly"
  /** Nothing was changed, and every finding was refuted with a reason. */
  | "refuted"
  /** Nothing was changed, and not every finding is accounted for. */
  | "unanswered"
  /** The change is in the working tree, in no commit. */
  | "uncommitted"
  /** The agent ended with an error. */
  | "failed"
  /** The agent moved HEAD in a way that it was told not to. */
  | "astray";

export interface FixOutcome {
  kind: FixOutcomeKind;
  /** The review is dealt with. */
  closes: boolean;
  /** The next agent would work on what this one left, and commit it as its own. */
  stops: boolean;
}

/** Whether an agent has come to an end of its own; without a last message it has said nothing. */
export const hasEnded = (agent: ReviewerOutcome): boolean => agent.ok || agent.reason === "empty";

/** What came of a fix, from what the agent did, said and left. Only a commit or a refutation closes a review. */
export function decideFix(given: {
  agent: ReviewerOutcome;
  change: TreeChange;
  said: Pick<Account, "refuted" | "deferred">;
}): FixOutcome {
  const { agent, change, said } = given;
  if (change.kind === "astray") return { kind: "astray", closes: false, stops: true };
  const stops = change.kind !== "none" && change.isTracked;
  if (!hasEnded(agent)) return { kind: "failed", closes: false, stops };
  if (change.kind === "committed") {
    return said.deferred ? { kind: "partly", closes: false, stops } : { kind: "fixed", closes: true, stops };
  }
  // Files that git does not track may be what its tests left behind.
  if (said.refuted && !stops) return { kind: "refuted", closes: true, stops };
  if (change.kind === "uncommitted") return { kind: "uncommitted", closes: false, stops };
  return { kind: "unanswered", closes: false, stops };
}

/** Whether the agent is asked to commit what it left: it said that it is done, and something is not committed. */
export function needsCommitRetry(agent: ReviewerOutcome, change: TreeChange, refuted: boolean): boolean {
  if (!hasEnded(agent)) return false;
  if (change.kind === "committed") return change.isTracked;
  return change.kind === "uncommitted" && (change.isTracked || !refuted);
}
