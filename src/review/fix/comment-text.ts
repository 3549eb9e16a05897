import { plural, safeMultiline, singleLine, truncateUtf8 } from "../../lib/text.ts";
import type { ReviewerOutcome } from "../agents/outcome.ts";
import type { FixOutcome } from "./outcome.ts";
import type { TreeChange } from "./tree-change.ts";

/** What is said about a fix: the outcome, and what it was read from. */
export interface FixReport {
  outcome: FixOutcome;
  change: TreeChange;
  agent: ReviewerOutcome;
  /** Name of the agent. */
  agentName: string;
}

const maxExplanationBytes = 64 * 1024;

/** The comment that a review gets: what became of it, then the agent's own words. */
export function commentText(report: FixReport, options: { hasPolicy: boolean }): string {
  const { agent } = report;
  const own = agent.ok ? safeMultiline(agent.text).trim() : "";
  const explanation = truncateUtf8(own, maxExplanationBytes);
  return [
    `${outcomeText(report)}.`,
    ...(leftoverText(report.change) === "" ? [] : [`${leftoverText(report.change)}.`]),
    explanation + (explanation === own ? "" : "\n[cut here: too long]"),
    options.hasPolicy ? "The policy in fix_guidelines was applied." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** One sentence without its full stop, for comments and terminals alike. */
export function outcomeText({ outcome, change, agent, agentName }: FixReport): string {
  switch (outcome.kind) {
    case "fixed":
      return `Fixed by ${agentName} in ${commitText(change)}`;
    case "partly":
      return `${agentName} mended a part in ${commitText(change)} and put the rest off: the review stays open`;
    case "refuted":
      return `${agentName} changed nothing and refuted every finding`;
    case "unanswered":
      return `${agentName} changed nothing and did not account for every finding: the review stays open`;
    case "uncommitted":
      return `${agentName} changed files and did not commit them: the review stays open`;
    case "astray":
      return `${agentName} ${change.kind === "astray" ? singleLine(change.what) : "moved HEAD"}: the review stays open`;
    case "failed": {
      const made = change.kind === "committed" ? `, after it made ${commitText(change)}` : "";
      return `${failureText(agent)}${made}: the review stays open`;
    }
  }
}

/** What an agent leaves in the working tree beside its commits, in one sentence; "" for nothing. */
export function leftoverText(change: TreeChange): string {
  const paths =
    change.kind === "uncommitted" ? change.paths : change.kind === "committed" ? change.leftover : [];
  if (paths.length === 0) return "";
  const named = paths.slice(0, 5).map(singleLine).join(", ");
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return `Not committed: ${named}${more}`;
}

const failureText = (agent: ReviewerOutcome): string => (agent.ok ? "failed" : singleLine(agent.message));

function commitText(change: TreeChange): string {
  if (change.kind !== "committed") return "no commit";
  const { sha, count } = change;
  return count > 1 ? `${plural(count, "commit")} up to ${sha.slice(0, 7)}` : sha.slice(0, 7);
}
