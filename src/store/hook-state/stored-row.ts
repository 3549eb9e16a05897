import type { Delivery, FixSession, Session } from "../../reminder/state.ts";

// Rows as this or an older release wrote them. What the policy relies on is checked; fields that are not known are kept.

type Row = Record<string, unknown>;

export function readSession(row: Row): Session {
  const { count = 0 } = row;
  if (typeof count !== "number") throw new Error("count is not a number");
  for (const field of mapFields) {
    if (row[field] !== undefined && !isRecord(row[field])) throw new Error(`${field} is not an object`);
  }
  requireValues(row, "commit_shas_since_prompt", Array.isArray, "an array");
  for (const field of ["acknowledged_review_ids", "pending_reminders"])
    requireValues(row, field, isRecord, "an object");
  const { open_commands: open = [] } = row;
  if (!Array.isArray(open) || !open.every(isRecord))
    throw new Error("open_commands is not an array of objects");
  return forwardStopCount({ ...row, count });
}

const mapFields = [
  "stop_counts_since_prompt",
  "commit_shas_since_prompt",
  "commit_counts_since_prompt",
  "failed_review_triggered_counts",
  "acknowledged_review_ids",
  "repo_heads",
  "worktree_lineage_keys",
  "pending_reminders",
];

function requireValues(row: Row, field: string, is: (value: unknown) => boolean, what: string): void {
  for (const [key, value] of Object.entries(row[field] ?? {})) {
    if (!is(value)) throw new Error(`${field}: ${JSON.stringify(key)} is not ${what}`);
  }
}

/**
 * Older releases counted turns per session, not per lineage. The number moves to the only lineage it can mean
 * and is dropped when there is none or more than one, so that no checkout inherits another's turns.
 */
function forwardStopCount(session: Session): Session {
  const { stop_count_since_prompt: old, ...rest } = session;
  if (old === undefined) return session;
  const next = rest as Session;
  if (typeof old !== "number" || old <= 0 || next.stop_counts_since_prompt !== undefined) return next;
  const lineage = onlyLineage(next);
  return lineage === undefined ? next : { ...next, stop_counts_since_prompt: { [lineage]: old } };
}

function onlyLineage(session: Session): string | undefined {
  const lineages = [...new Set(Object.values(session.worktree_lineage_keys ?? {}))];
  if (lineages.length > 0) return lineages.length === 1 ? lineages[0] : undefined;
  const heads = Object.keys(session.repo_heads ?? {});
  if (heads.length > 0) return heads.length === 1 ? heads[0] : undefined;
  const { last_failed_review_repo: repo, last_failed_review_branch: branch } = session;
  if (!repo) return undefined;
  return branch ? `${repo}\0${branch}` : repo;
}

/** Older releases wrote neither the working tree, which is in the key, nor the reviews. */
export function readFixSession(row: Row, key: string): FixSession {
  requireStrings(row, ["id", "agent", "session_id", "expires_at"]);
  const { worktree = key.split("\0worktree\0")[1] ?? "", lineage = "", close_outs = 0 } = row;
  const fixSession = { ...row, worktree, lineage, review_ids: row.review_ids ?? [], close_outs };
  requireStrings(fixSession, ["worktree", "lineage"]);
  requireIds(fixSession);
  if (typeof close_outs !== "number") throw new Error("close_outs is not a number");
  return fixSession as unknown as FixSession;
}

export function readDelivery(row: Row): Delivery {
  requireStrings(row, ["agent", "session_id", "event", "channel", "triggered_by", "worktree", "decided_at"]);
  requireIds(row);
  return row as unknown as Delivery;
}

function requireStrings(row: Row, fields: string[]): void {
  for (const field of fields) {
    if (typeof row[field] !== "string") throw new Error(`${field} is not a string`);
  }
}

function requireIds({ review_ids: ids }: Row): void {
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "number"))
    throw new Error("review_ids is not an array of numbers");
}

export function isRecord(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
