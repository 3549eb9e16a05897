import type { ReviewResponse } from "../daemon/api/responses.ts";
import { safeMultiline, singleLine } from "../lib/text.ts";
import type { Comment, Job, TokenUsage } from "../store/schema.ts";
import { evidenceLines } from "./evidence-text.ts";
import { findingLines } from "./findings-text.ts";
import { endsAt, shortRef } from "./job-text.ts";
import { localTime } from "./local-time.ts";
import type { Output } from "./output.ts";

export const rule = "-".repeat(60);

/** A reviewer's name; the built-in one is marked, because its opinion means nothing. */
export function reviewerText(agent: string): string {
  return agent === "test" ? "test (built-in, only looks for BUG: lines)" : singleLine(agent);
}

const kilo = (count: number) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);

/** `118.0k ctx · 28.8k out · ~$0.42`. */
export function usageText(usage: TokenUsage): string {
  const cost = usage.cost_usd === undefined ? "" : ` · ~$${usage.cost_usd.toFixed(2)}`;
  return `${kilo(usage.input + usage.cached)} ctx · ${kilo(usage.output)} out${cost}`;
}

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

/** A review without the JSON block at its end, which repeats the findings for programs. */
export function withoutDataBlock(output: string): string {
  const text = output.trimEnd();
  const start = text.lastIndexOf("\n```json\n");
  if (start < 0 || !text.endsWith("\n```")) return text;
  try {
    const data: unknown = JSON.parse(text.slice(start + "\n```json\n".length, -"\n```".length));
    const isOurs = typeof data === "object" && data !== null && "schema_version" in data;
    return isOurs && text.slice(0, start).trim() !== "" ? text.slice(0, start).trimEnd() : text;
  } catch {
    return text; // an ordinary code block
  }
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
