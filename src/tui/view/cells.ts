import { elapsedText, jobTime, shortRef } from "../../lib/job-text.ts";
import { localTime } from "../../lib/local-time.ts";
import { singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { type Column, statusText } from "../columns.ts";
import type { Paint } from "./paint.ts";

export function cellText(job: Job, column: Column, now: Date): string {
  switch (column) {
    case "ref":
      return shortRef(job.git_ref) + (job.review_type ? ` [${job.review_type}]` : "");
    case "subject":
      return job.commit_subject ?? "";
    case "branch":
      return job.branch ?? "";
    case "repo":
      return job.repo_name ?? "";
    case "agent":
      return job.agent === "claude-code" ? "claude" : job.agent;
    case "queued":
      return localTime(job.enqueued_at);
    case "elapsed":
      return jobTime(job, now) || waitingTime(job, now);
    case "status":
      return statusText(job);
    case "pf":
      return job.verdict ?? "-";
    case "closed":
      return job.closed === undefined ? "" : job.closed ? "yes" : "no";
    case "cost":
      return job.token_usage?.cost_usd === undefined ? "" : `~$${job.token_usage.cost_usd.toFixed(2)}`;
    case "session_id":
      return job.session_id ?? "";
    case "requested_model":
      return job.requested_model ?? "";
  }
}

function waitingTime({ status, enqueued_at: since }: Job, now: Date): string {
  const waitedMs = now.getTime() - Date.parse(since);
  return status !== "queued" || Number.isNaN(waitedMs) ? "" : `(${elapsedText(waitedMs)})`;
}

/** Times change by themselves: their columns are as wide as they ever get, so that the others stay where they are. */
const changing: Partial<Record<Column, number>> = { elapsed: 8, queued: 12 };

const measured = new WeakMap<readonly Job[], Map<Column, number>>();

/** Cells that the longest text of a column takes, among all these jobs: scrolling moves no column. */
export function longestCell(jobs: readonly Job[], column: Column): number {
  const fixed = changing[column];
  if (fixed !== undefined) return fixed;
  let widths = measured.get(jobs);
  if (widths === undefined) {
    widths = new Map();
    measured.set(jobs, widths);
  }
  let width = widths.get(column);
  if (width === undefined) {
    const never = new Date(0);
    width = jobs.reduce(
      (most, job) => Math.max(most, Bun.stringWidth(singleLine(cellText(job, column, never)))),
      0,
    );
    widths.set(column, width);
  }
  return width;
}

export function paintCell(job: Job, column: Column, text: string, paint: Paint): string {
  if (column === "pf" && job.verdict) return paint(job.verdict === "P" ? "green" : "red", text);
  if (column !== "status") return column === "closed" && job.closed ? paint("dim", text) : text;
  if (job.status === "running") return paint("cyan", text);
  if (job.status === "failed") return paint("red", text);
  return job.status === "done" ? text : paint("dim", text);
}
