import type { ReviewResponse } from "../daemon/api/responses.ts";
import { evidenceLines } from "../lib/evidence-text.ts";
import { endsAt, shortRef } from "../lib/job-text.ts";
import { localTime } from "../lib/local-time.ts";
import { reviewerText, usageText, withoutDataBlock } from "../lib/review-text.ts";
import { safeMultiline, singleLine } from "../lib/text.ts";
import type { Comment, Job } from "../store/schema.ts";
import { findingLines } from "./findings-text.ts";
import type { Output } from "./output.ts";

export const rule = "-".repeat(60);

function verdictText(job: Job, out: Output): string {
  if (job.verdict === "P") return out.paint("green", "pass");
  if (job.verdict === "F") return out.paint("red", "fail");
  return "none";
}

interface HeaderOptions {
  /** What was asked for, in full; the review may be of a range that ends with it. */
  commit?: string;
  /** false: it has no number, and nothing can be done with it. */
  isStored?: boolean;
}

/** The lines above a review: what was reviewed, by whom, and how it ended. */
export function reviewHeader(
  review: ReviewResponse,
  out: Output,
  { commit, isStored = true }: HeaderOptions = {},
): string[] {
  const { job } = review;
  if (job.job_type === "fix") return fixHeader(review, out);
  const subject = job.commit_subject ? `  ${singleLine(job.commit_subject)}` : "";
  return [
    `Review of ${out.paint("bold", shortRef(singleLine(job.git_ref)))}${subject}`,
    [
      isStored ? `Job ${job.id}` : "Not stored",
      `reviewer ${reviewerText(review.agent)}`,
      `verdict ${verdictText(job, out)}`,
      ...(isStored ? [review.closed ? "closed" : "open"] : []),
    ].join(" · "),
    ...(commit !== undefined && endsAt(job, commit)
      ? [`Its last commit is ${shortRef(commit)}, which has no review of its own`]
      : []),
    ...(job.token_usage ? [usageText(job.token_usage)] : []),
    ...(job.attempted_agents
      ? [`In place of ${job.attempted_agents.map(singleLine).join(", ")}, which could not review it`]
      : []),
    ...(job.superseded_by ? [`The commit was rewritten as ${shortRef(job.superseded_by)}`] : []),
    ...evidenceLines(job.evidence),
  ];
}

/** The lines above the answer of an agent that made a patch. */
function fixHeader({ job, agent }: ReviewResponse, out: Output): string[] {
  const { id, parent_job_id: parent, base_sha: base, branch } = job;
  const subject = job.commit_subject ? `  ${singleLine(job.commit_subject)}` : "";
  const next =
    job.status === "done"
      ? `Read its patch: roborev show --job ${id} --patch; apply it: roborev fix --apply ${id}`
      : undefined;
  const where = branch === undefined ? "" : ` for ${singleLine(branch)}`;
  const from = base === undefined ? "" : `, from ${shortRef(singleLine(base))}${subject}`;
  return [
    `Background fix of ${out.paint("bold", `job ${parent}`)}${where}${from}`,
    [`Job ${id}`, `agent ${reviewerText(agent)}`, job.status === "done" ? "not applied" : job.status].join(
      " · ",
    ),
    ...(job.token_usage ? [usageText(job.token_usage)] : []),
    ...(job.attempted_agents
      ? [`In place of ${job.attempted_agents.map(singleLine).join(", ")}, which could not do it`]
      : []),
    ...(next === undefined ? [] : [next]),
  ];
}

export function commentLines(comments: readonly Comment[]): string[] {
  if (comments.length === 0) return [];
  return [
    "",
    "--- Comments ---",
    ...comments.map(
      ({ created_at, responder, response }) =>
        `[${singleLine(localTime(created_at))}] ${singleLine(responder)}: ${safeMultiline(response).trimEnd()}`,
    ),
  ];
}

/** A whole review as text. */
export function reviewText(review: ReviewResponse, out: Output, options?: HeaderOptions): string {
  return [
    ...reviewHeader(review, out, options),
    rule,
    safeMultiline(withoutDataBlock(review.output)),
    ...findingLines(review.findings, out),
    ...commentLines(review.comments),
  ].join("\n");
}
