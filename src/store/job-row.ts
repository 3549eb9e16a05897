import { fromJson, withoutNulls } from "./row.ts";
import type { Evidence, Job, JobStatus, JobType, Severity, TokenUsage } from "./schema.ts";

export interface JobRow {
  id: number;
  uuid: string;
  repo_id: number;
  commit_id: number | null;
  git_ref: string;
  branch: string | null;
  worktree_path: string | null;
  job_type: JobType;
  review_type: string | null;
  source: string | null;
  agent: string;
  model: string | null;
  provider: string | null;
  requested_model: string | null;
  requested_provider: string | null;
  reasoning: string;
  min_severity: Severity | null;
  agentic: number;
  prompt_prebuilt: number;
  status: JobStatus;
  skip_reason: string | null;
  error: string | null;
  enqueued_at: string;
  started_at: string | null;
  finished_at: string | null;
  updated_at: string | null;
  retry_count: number;
  retry_not_before: string | null;
  worker_id: string | null;
  session_id: string | null;
  output_prefix: string | null;
  patch_id: string | null;
  parent_job_id: number | null;
  command_line: string | null;
  superseded_by: string | null;
  attempted_agents: string | null;
  token_usage: string | null;
  evidence_json: string | null;
  repo_path: string;
  repo_name: string;
  base_sha: string | null;
  commit_subject: string | null;
  closed: number | null;
  verdict_bool: number | null;
  // Only in `selectJob`.
  prompt?: string | null;
  diff_content?: string | null;
  patch?: string | Uint8Array | null;
}

const listed =
  `id uuid repo_id commit_id git_ref branch worktree_path job_type review_type source agent model provider
  requested_model requested_provider reasoning min_severity agentic prompt_prebuilt status skip_reason error
  enqueued_at started_at finished_at updated_at retry_count retry_not_before worker_id session_id patch_id
  parent_job_id superseded_by attempted_agents token_usage evidence_json command_line output_prefix`
    .split(/\s+/)
    .map((column) => `j.${column}`)
    .join(", ");

// What a fix has as its review is the agent's answer: nothing to close.
const joined = `r.root_path AS repo_path, r.name AS repo_name, c.subject AS commit_subject,
  iif(j.job_type = 'fix', c.sha, NULL) AS base_sha, iif(j.job_type = 'fix', NULL, v.closed) AS closed, v.verdict_bool`;

const from = `FROM review_jobs j JOIN repos r ON r.id = j.repo_id
  LEFT JOIN commits c ON c.id = j.commit_id LEFT JOIN reviews v ON v.job_id = j.id`;

/** Start of a query for jobs as lists show them; the job is `j`, its repository `r`, its review `v`. */
export const selectListedJob = `SELECT ${listed}, ${joined} ${from}`;
/** More of a patch nobody reads, and who waits for the job asks again and again. */
const mostPatchBytes = 256 * 1024;

/** The same with prompt, diff and patch, unless that is large: then the daemon would do nothing else for a second. */
export const selectJob = `SELECT ${listed}, j.prompt, j.diff_content,
  iif(length(j.patch) <= ${mostPatchBytes}, j.patch, NULL) AS patch, ${joined} ${from}`;

export function jobFromRow(row: JobRow): Job {
  const {
    agentic,
    prompt_prebuilt,
    closed,
    verdict_bool,
    attempted_agents,
    token_usage,
    evidence_json,
    patch,
    ...rest
  } = row;
  const judged = verdict_bool !== null && row.status === "done";
  return withoutNulls({
    ...rest,
    agentic: agentic === 1,
    prompt_prebuilt: prompt_prebuilt === 1,
    closed: closed === null ? null : closed === 1,
    verdict: judged ? (verdict_bool === 1 ? ("P" as const) : ("F" as const)) : null,
    attempted_agents: fromJson<string[]>(attempted_agents),
    token_usage: fromJson<TokenUsage>(token_usage),
    evidence: fromJson<Evidence>(evidence_json),
    patch: patch instanceof Uint8Array ? new TextDecoder().decode(patch) : (patch ?? null),
  });
}
