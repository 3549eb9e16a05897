import { safeMultiline, singleLine } from "../../lib/text.ts";
import { dataBlock, quoted } from "./boundary.ts";
import { byteLength, cutBytes } from "./bytes.ts";
import { entriesPart, fixedPart, type Part } from "./fit.ts";
import type { PriorAttempt, PriorReview, PromptComment } from "./input.ts";

/** Earlier reviews are context, so one of them never takes the place of the change itself. */
const maxTextBytes = 16_384;
const maxAttempts = 3;

/** What every section about earlier reviews says, so that reviewer and author do not go in circles. */
const settled = `- Do not raise a point again that its comments accept, refute or defer, unless this change makes it newly wrong.
- Do not ask to undo or reverse a change that was made to satisfy an earlier finding. If that change is itself wrong,
  say so, name the earlier finding it answers, and say how both concerns can be met.
- Comments by tools record what was done; all other comments are decisions of the developers.`;

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
      ...comments(review.comments),
    ].join("\n"),
  );
}

function attemptText(attempt: PriorAttempt, index: number): string {
  const head = `Attempt ${index + 1} by ${singleLine(attempt.agent)} at ${singleLine(attempt.created_at)}`;
  return quoted([head, nested(attempt.output), ...comments(attempt.comments ?? [])].join("\n"));
}

function comments(list: PromptComment[]): string[] {
  return list.map(({ responder, response }) => {
    const who = isTool(responder) ? "tool" : "developer";
    return `Comment by ${who} ${singleLine(responder)}:\n${nested(response)}`;
  });
}

const isTool = (responder: string) => responder === "agent-hook" || responder.startsWith("roborev-");

/** Quoted once more, so that a text cannot pass for a comment that it does not have. */
function nested(text: string): string {
  const note = byteLength(text) <= maxTextBytes ? "" : "\n[cut here: too long]";
  const shown = safeMultiline(cutBytes(text, maxTextBytes)).trim() + note;
  return shown
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
