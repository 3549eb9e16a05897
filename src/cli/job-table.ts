import { jobTime, shortRef } from "../lib/job-text.ts";
import type { Job } from "../store/schema.ts";
import type { Output } from "./output.ts";
import { tableLines } from "./table.ts";

const header = ["ID", "SHA", "Repo", "Agent", "Status", "P/F", "Closed", "Time"];

/** The table that `list` and `status` print. */
export function jobTable(jobs: readonly Job[], now: Date, out: Output): string {
  const rows = jobs.map((job) => [
    String(job.id),
    shortRef(job.git_ref),
    job.repo_name ?? "",
    job.agent,
    job.status,
    job.verdict ?? "",
    job.closed === undefined ? "" : job.closed ? "yes" : "no",
    jobTime(job, now),
  ]);
  return tableLines(header, rows, (text, column) => {
    if (column !== 5) return text;
    return text === "F" ? out.paint("red", text) : text === "P" ? out.paint("green", text) : text;
  }).join("\n");
}
