import { type Static, Type } from "@sinclair/typebox";

// Shapes of what the database keeps and the API shows. Times are RFC 3339 in UTC. Absent means unknown, never null.

const literals = <const T extends string[]>(...values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map((value) => Type.Literal(value))));

export const JobStatusSchema = literals(
  "queued",
  "running",
  "done",
  "failed",
  "canceled",
  "applied",
  "rebased",
  "skipped",
);
export type JobStatus = Static<typeof JobStatusSchema>;

export const JobTypeSchema = literals("review", "range", "dirty", "task", "insights", "compact", "fix");
export type JobType = Static<typeof JobTypeSchema>;

export const SeveritySchema = literals("critical", "high", "medium", "low");
export type Severity = Static<typeof SeveritySchema>;

/** P: nothing at or above the severity floor was found; F: something was. */
export const VerdictSchema = literals("P", "F");
export type Verdict = Static<typeof VerdictSchema>;

export const FindingSchema = Type.Object({
  severity: SeveritySchema,
  problem: Type.String(),
  location: Type.Optional(Type.String()),
  fix: Type.Optional(Type.String()),
});
export type Finding = Static<typeof FindingSchema>;

export const DispositionStateSchema = literals("fixed", "refuted", "deferred");
export type DispositionState = Static<typeof DispositionStateSchema>;

/** What has become of a finding, as somebody said last. */
export const DispositionSchema = Type.Object({
  state: DispositionStateSchema,
  by: Type.String(),
  message: Type.Optional(Type.String()),
  at: Type.String(),
});
export type Disposition = Static<typeof DispositionSchema>;

/** A finding of a stored review. Its number, counted from 1, stays what it is as long as there is the review. */
export const ReviewFindingSchema = Type.Object({
  number: Type.Integer(),
  ...FindingSchema.properties,
  disposition: Type.Optional(DispositionSchema),
});
export type ReviewFinding = Static<typeof ReviewFindingSchema>;

/** What the engine itself knows about a review, so that a vacuous pass cannot hide behind its text. */
export const EvidenceSchema = Type.Object({
  reviewed_sha: Type.Optional(Type.String()),
  base_sha: Type.Optional(Type.String()),
  checkout: Type.String(),
  files_in_diff: Type.Integer(),
  files_sent: Type.Integer(),
  diff_bytes: Type.Integer(),
  delivery: literals("inline", "chunked", "file"),
  chunks: Type.Integer(),
  /** The first hundred of `files_sent`. */
  sent_files: Type.Optional(Type.Array(Type.String())),
  /** Of the diff as the reviewer was given it, all parts together. */
  diff_sha256: Type.Optional(Type.String()),
  /** With `file`: the answer carries every mark of the file. Without them there is no review. */
  nonce_ok: Type.Optional(Type.Boolean()),
  excluded_files: Type.Array(Type.String()),
  /** Changed files whose content no diff shows; the reviewer was given their names only. */
  unshown_files: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), kind: literals("binary", "submodule", "git-lfs") })),
  ),
  /** The user had switched off the sandbox of the reviewer's program. */
  without_sandbox: Type.Optional(Type.Boolean()),
  /** How the verdict was read: see review/verdict. */
  basis: Type.Optional(Type.String()),
});
export type Evidence = Static<typeof EvidenceSchema>;

export const TokenUsageSchema = Type.Object({
  input: Type.Integer(),
  cached: Type.Integer(),
  output: Type.Integer(),
  cost_usd: Type.Optional(Type.Number()),
});
export type TokenUsage = Static<typeof TokenUsageSchema>;

/** One requested unit of reviewer work. Lists leave out `prompt`, `diff_content` and `patch`. */
export const JobSchema = Type.Object({
  id: Type.Integer(),
  uuid: Type.String(),
  repo_id: Type.Integer(),
  commit_id: Type.Optional(Type.Integer()),
  /** Full SHA, `sha..sha`, `dirty`, or the label of a task; `fix #<parent>` of a background fix. */
  git_ref: Type.String(),
  branch: Type.Optional(Type.String()),
  worktree_path: Type.Optional(Type.String()),
  job_type: JobTypeSchema,
  review_type: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  agent: Type.String(),
  model: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  requested_model: Type.Optional(Type.String()),
  requested_provider: Type.Optional(Type.String()),
  reasoning: Type.String(),
  min_severity: Type.Optional(SeveritySchema),
  agentic: Type.Boolean(),
  prompt_prebuilt: Type.Boolean(),
  status: JobStatusSchema,
  skip_reason: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  enqueued_at: Type.String(),
  started_at: Type.Optional(Type.String()),
  finished_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  retry_count: Type.Integer(),
  retry_not_before: Type.Optional(Type.String()),
  worker_id: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  prompt: Type.Optional(Type.String()),
  diff_content: Type.Optional(Type.String()),
  output_prefix: Type.Optional(Type.String()),
  patch_id: Type.Optional(Type.String()),
  /** With `fix`: the job whose review it deals with. */
  parent_job_id: Type.Optional(Type.Integer()),
  /** With `fix`: the commit that it starts from, which its patch is against. */
  base_sha: Type.Optional(Type.String()),
  /**
   * What a fix changed, for reading: bytes that are no UTF-8 are lost here, and above 256 KiB it is left out;
   * `/api/job/patch` has all of it.
   */
  patch: Type.Optional(Type.String()),
  command_line: Type.Optional(Type.String()),
  token_usage: Type.Optional(TokenUsageSchema),
  superseded_by: Type.Optional(Type.String()),
  /** Reviewers that could not do it, so that `agent`, a configured backup, took over. */
  attempted_agents: Type.Optional(Type.Array(Type.String())),
  evidence: Type.Optional(EvidenceSchema),
  // Joined from the repository, the commit and the review.
  repo_path: Type.Optional(Type.String()),
  repo_name: Type.Optional(Type.String()),
  commit_subject: Type.Optional(Type.String()),
  /** Absent while there is no review, and of a fix, whose answer is none. */
  closed: Type.Optional(Type.Boolean()),
  verdict: Type.Optional(VerdictSchema),
});
export type Job = Static<typeof JobSchema>;

export const ReviewSchema = Type.Object({
  id: Type.Integer(),
  job_id: Type.Integer(),
  uuid: Type.Optional(Type.String()),
  agent: Type.String(),
  prompt: Type.String(),
  output: Type.String(),
  verdict_bool: Type.Optional(Type.Integer()),
  findings: Type.Optional(Type.Array(ReviewFindingSchema)),
  closed: Type.Boolean(),
  closed_at: Type.Optional(Type.String()),
  closed_by: Type.Optional(Type.String()),
  created_at: Type.String(),
  updated_at: Type.Optional(Type.String()),
  job: Type.Optional(JobSchema),
});
export type Review = Static<typeof ReviewSchema>;

/** A comment on a job (or, from older data, on a commit). */
export const CommentSchema = Type.Object({
  id: Type.Integer(),
  uuid: Type.Optional(Type.String()),
  job_id: Type.Optional(Type.Integer()),
  commit_id: Type.Optional(Type.Integer()),
  responder: Type.String(),
  response: Type.String(),
  created_at: Type.String(),
});
export type Comment = Static<typeof CommentSchema>;

/** Where reminders are muted, and until when. */
export const ActiveSnoozeSchema = Type.Object({
  repo_name: Type.String(),
  repo_path: Type.String(),
  worktree_path: Type.String(),
  /** Empty for a detached HEAD. */
  branch: Type.String(),
  snoozed_until: Type.String(),
});
export type ActiveSnooze = Static<typeof ActiveSnoozeSchema>;

export const RepoSchema = Type.Object({
  id: Type.Integer(),
  root_path: Type.String(),
  name: Type.String(),
  identity: Type.Optional(Type.String()),
  active: Type.Boolean(),
  created_at: Type.String(),
});
export type Repo = Static<typeof RepoSchema>;
