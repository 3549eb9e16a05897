import type { OpenReview } from "../daemon/api/responses.ts";
import { shortRef } from "../lib/job-text.ts";
import { localTime } from "../lib/local-time.ts";
import { reviewerText } from "../lib/review-text.ts";
import { quotedLabel, singleLine } from "../lib/text.ts";

/** Open reviews for a person or an agent that is going to fix them: three lines each. */
export function openReviewsText(reviews: readonly OpenReview[]): string {
  return reviews.map(openReviewText).join("\n\n");
}

function openReviewText(review: OpenReview): string {
  const { branch = "", commit_subject: subject = "", model, finished_at: finished } = review;
  const what = [shortRef(singleLine(review.git_ref)), branch === "" ? "no branch" : singleLine(branch)];
  const by = `${reviewerText(review.agent)}${model === undefined ? "" : ` (${singleLine(model)})`}`;
  return [
    `Job ${review.id} · ${what.join(" · ")}${subject === "" ? "" : ` · ${singleLine(subject)}`}`,
    `  ${verdictText(review)} · ${by}${finished === undefined ? "" : ` · ${singleLine(localTime(finished))}`}`,
    `  ${review.summary}`,
  ].join("\n");
}

const verdictText = ({ verdict }: OpenReview) =>
  verdict === "F" ? "failed" : verdict === "P" ? "passed" : "no verdict";

/** What to do with them. */
export function openReviewsHints(reviews: readonly OpenReview[]): string[] {
  const id = reviews[0]?.id;
  return [
    `Read one: roborev show --job ${id} --json`,
    `Have one fixed: roborev fix ${id}; all of these: roborev fix`,
  ];
}

/** Where nothing is open. */
export function noOpenReviewsText(place: { branch?: string; tracked: boolean }): string {
  if (!place.tracked) return "No open reviews: nothing was reviewed in this repository yet.";
  if (place.branch === undefined) return "No open reviews on any branch.";
  if (place.branch === "") return "No open reviews of these commits (HEAD is on no branch).";
  return `No open reviews on branch ${quotedLabel(place.branch)}.`;
}
