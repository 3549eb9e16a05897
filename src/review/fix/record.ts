import type { Answer } from "./answer.ts";
import { commentText, type FixReport, leftoverText, outcomeText } from "./comment-text.ts";
import type { FixOutcomeKind } from "./outcome.ts";
import type { FixResult, FixServices } from "./services.ts";

/** Who speaks: a record of a tool, never taken for a developer's decision (D45). */
export const responderOf = ({ command }: Pick<FixServices, "command">): string => `roborev-${command}`;

/** A finding is fixed only by a commit; what is said of it by an agent that failed or went astray is worth nothing. */
function counts({ disposition }: Answer, outcome: FixOutcomeKind): boolean {
  if (outcome === "fixed" || outcome === "partly") return true;
  return (outcome === "refuted" || outcome === "unanswered") && disposition !== "fixed";
}

/**
 * Says on a review what became of each finding and of the whole, and closes it where it is dealt with. `words`: what
 * the agent said of findings that the review has.
 */
export async function recordFix(
  services: Pick<FixServices, "client" | "checkout" | "command"> & {
    settings: Pick<FixServices["settings"], "guidelines">;
  },
  jobId: number,
  report: FixReport,
  words: readonly Answer[],
): Promise<FixResult> {
  const { client, checkout, settings } = services;
  const { outcome, change } = report;
  const commenter = responderOf(services);
  const from = { job_id: jobId, worktree_path: checkout.worktreeRoot };
  for (const { finding, disposition, reason } of words.filter((word) => counts(word, outcome.kind))) {
    await client.comment({
      ...{ ...from, commenter, finding, disposition },
      ...(reason === "" ? {} : { comment: reason }),
    });
  }
  const hasPolicy = (settings.guidelines ?? "").trim() !== "";
  await client.comment({ ...from, commenter, comment: commentText(report, { hasPolicy }) });
  if (outcome.closes) await client.closeReview({ ...from, closed: true, closed_by: commenter });
  return {
    job_id: jobId,
    outcome: outcome.kind,
    closed: outcome.closes,
    message: [outcomeText(report), leftoverText(change)].filter((part) => part !== "").join(". "),
    ...(change.kind === "committed" ? { commit: change.sha } : {}),
  };
}
