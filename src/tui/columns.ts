import type { Job } from "../store/schema.ts";

/** Columns of the queue by their names in the configuration; the number of the job is always shown. */
export const columnNames = [
  "ref",
  "subject",
  "branch",
  "repo",
  "agent",
  "queued",
  "elapsed",
  "status",
  "pf",
  "closed",
  "cost",
  "session_id",
  "requested_model",
] as const;

export type Column = (typeof columnNames)[number];

export const columnTitles: Record<Column, string> = {
  ref: "Ref",
  subject: "Subject",
  branch: "Branch",
  repo: "Repo",
  agent: "Agent",
  queued: "Queued",
  elapsed: "Elapsed",
  status: "Status",
  pf: "P/F",
  closed: "Closed",
  cost: "Cost",
  session_id: "Session",
  requested_model: "Req Model",
};

/** Not shown unless somebody asks. */
export const hiddenAtFirst: readonly Column[] = ["cost", "session_id", "requested_model"];

/** All columns, those that are named first and in that order. */
export const orderOf = (named: readonly string[]): Column[] => [
  ...new Set([...named.filter(isColumn), ...columnNames]),
];

export const isColumn = (name: string): name is Column => (columnNames as readonly string[]).includes(name);

/** What has become of a fix in the background. */
export const taskState = ({ status }: Pick<Job, "status">): string =>
  status === "done" ? "ready" : status === "failed" ? "error" : status;

/** Text of a status as the list words it. */
export function statusText({ status, skip_reason: reason }: Pick<Job, "status" | "skip_reason">): string {
  if (status === "skipped" && reason) return `skipped: ${reason}`;
  return status === "failed" ? "Error" : `${status[0]?.toUpperCase()}${status.slice(1)}`;
}
