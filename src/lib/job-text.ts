import type { Job } from "../store/schema.ts";

/** Seven characters of each SHA in a ref; `^`, branch labels and `dirty` stay. */
export function shortRef(ref: string): string {
  return ref
    .split("..")
    .map((end) => end.replace(/^([0-9a-f]{7})[0-9a-f]{1,57}(?=\^*$)/, "$1"))
    .join("..");
}

/** Whether a job is about a range whose last commit this one is. */
export const endsAt = (job: Job, sha: string): boolean => job.git_ref.endsWith(`..${sha}`);

/** `42s`, `3m07s`, `2h05m`, `3d04h`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  const hours = Math.floor(seconds / 3600);
  if (hours >= 48) return `${Math.floor(hours / 24)}d${two(hours % 24)}h`;
  return `${hours}h${two(Math.floor((seconds % 3600) / 60))}m`;
}

/** How long a job took, or `…` behind how long it has been running. */
export function jobTime(job: Job, now: Date): string {
  if (job.started_at === undefined) return "";
  const start = Date.parse(job.started_at);
  const end = job.finished_at === undefined ? now.getTime() : Date.parse(job.finished_at);
  if (Number.isNaN(start) || Number.isNaN(end)) return "";
  if (job.finished_at === undefined && job.status !== "running") return "";
  return `${elapsedText(end - start)}${job.finished_at === undefined ? "..." : ""}`;
}
