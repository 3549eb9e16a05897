import { singleLine } from "../../lib/text.ts";
import type { ReviewFinding } from "../../store/schema.ts";
import { commentLines, dispositionLines, nested } from "./answers.ts";
import { dataBlock, quoted } from "./boundary.ts";
import { entriesPart, fixedPart, type Part } from "./fit.ts";
import type { PriorAttempt, PriorReview } from "./input.ts";

const maxAttempts = 3;

/** What every section about earlier reviews says, so that reviewer and author do not go in circles. */
const settled = `- Below each review stands what became of single findings. Do not raise a finding again that was refuted or deferred, nor
  a point that comments accept, refute or defer, unless this change makes it newly wrong.
- Do not ask to undo or reverse a change that was made to satisfy an earlier finding, such as one that was fixed. If that
  change is itself wrong, say so, name the earlier finding it answers, and say how both concerns can be met.
- What tools say records what was done; everything else that was answered is a decision of the developers.`;

/** Reviews of the commits before the change, oldest first. */
export function previousReviewsPart(token: string, reviews: PriorReview[]): Part {
  return section(
    token,
    `## Previous reviews

Reviews of the commits before this change, oldest first, with what people and tools answered. For orientation only:
- Report an earlier problem only where this change brings it back or leaves broken what it set out to mend.
${settled}`,
    "previous reviews",
    reviews.map(reviewText),
  );
}

/** Reviews of the commits inside a range. */
export function inRangeReviewsPart(token: string, reviews: PriorReview[]): Part {
  return section(
    token,
    `## Reviews of single commits in this range

Each commit was reviewed alone. Do not repeat these findings where a later commit mended them; one that is still
present in the final state may be reported once. Look above all at how the commits work together.
${settled}`,
    "reviews in this range",
    reviews.map(reviewText),
  );
}

/** Earlier reviews of the very same change: the newest three, shown oldest first. */
export function attemptsPart(token: string, attempts: PriorAttempt[]): Part {
  return section(
    token,
    `## Previous reviews of this same change

Check which of these findings still hold in the change as it is now, and report those.
${settled}`,
    "previous attempts",
    attempts.slice(0, maxAttempts).toReversed().map(attemptText),
  );
}

function section(token: string, intro: string, label: string, entries: string[]): Part {
  if (entries.length === 0) return fixedPart("");
  return entriesPart((kept) => `${intro}\n\n${dataBlock(token, label, kept.join("\n|\n"))}`, entries);
}

function reviewText(review: PriorReview): string {
  const verdict = review.verdict === undefined ? "" : review.verdict === "P" ? ", passed" : ", failed";
  const by = review.agent === undefined ? "" : ` by ${singleLine(review.agent)}`;
  const head = `Review of ${singleLine(review.sha).slice(0, 7)}${by}${verdict}`;
  return quoted(
    [
      head,
      review.output === undefined ? "No review available." : nested(review.output),
      ...dispositionLines(review),
      ...earlierLines(review.earlierFindings),
      ...commentLines(review.comments),
    ].join("\n"),
  );
}

function attemptText(attempt: PriorAttempt, index: number): string {
  const head = `Attempt ${index + 1} by ${singleLine(attempt.agent)} at ${singleLine(attempt.created_at)}`;
  const answers = [...dispositionLines(attempt), ...commentLines(attempt.comments ?? [])];
  return quoted([head, nested(attempt.output), ...answers].join("\n"));
}

/** Their numbers are those of reviews that are not shown, so they stand apart. */
function earlierLines(findings: ReviewFinding[] = []): string[] {
  const lines = dispositionLines({ findings });
  return lines.length === 0 ? [] : ["In older reviews of it:", ...lines];
}
