import { type Static, Type } from "@sinclair/typebox";
import { uuidPattern } from "../../lib/uuid.ts";
import { DispositionStateSchema, SeveritySchema } from "../../store/schema.ts";

// Bodies that the daemon accepts. Unknown fields are ignored, so that a newer client can talk to an older daemon.

const path = Type.String({ minLength: 1, maxLength: 4096 });
const name = Type.String({ maxLength: 128 });

export const EnqueueSchema = Type.Object({
  repo_path: path,
  /** Ref, SHA, `a..b` (b inclusive), or `dirty`. Default HEAD. */
  git_ref: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  branch: Type.Optional(Type.String({ maxLength: 1024 })),
  agent: Type.Optional(name),
  model: Type.Optional(name),
  reasoning: Type.Optional(name),
  review_type: Type.Optional(name),
  min_severity: Type.Optional(SeveritySchema),
  /** With git_ref `dirty`: the diff of the working tree. */
  diff_content: Type.Optional(Type.String()),
  /** `post_commit` asks for a job only if there is none for this ref yet. */
  source: Type.Optional(name),
});
export type EnqueueRequest = Static<typeof EnqueueSchema>;

/** A fix in the background: its change becomes a patch, and the review stays as it is. */
export const FixJobSchema = Type.Object({
  /** The job whose review is dealt with. */
  parent_job_id: Type.Integer({ minimum: 1 }),
  /** What the user asks of the agent besides. */
  prompt: Type.Optional(Type.String({ minLength: 1, maxLength: 64 * 1024 })),
  /** Where it starts. Default: the commit that was reviewed, else the branch's tip, else HEAD. */
  git_ref: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  /** A fix of the same review whose patch does not apply any more, and is made anew. */
  stale_job_id: Type.Optional(Type.Integer({ minimum: 1 })),
  agent: Type.Optional(name),
  model: Type.Optional(name),
  reasoning: Type.Optional(name),
  min_severity: Type.Optional(SeveritySchema),
});
export type FixJobRequest = Static<typeof FixJobSchema>;

export const RepoPathSchema = Type.Object({ repo_path: path, purge: Type.Optional(Type.Boolean()) });
export type RepoPathRequest = Static<typeof RepoPathSchema>;

/** `repo_path`: root of a repository as the daemon lists it. */
export const RenameRepoSchema = Type.Object({
  repo_path: path,
  name: Type.String({ minLength: 1, maxLength: 128 }),
});
export type RenameRepoRequest = Static<typeof RenameRepoSchema>;

export const MoveRepoSchema = Type.Object({
  repo_path: path,
  /** A path in the repository where it lies now. */
  new_path: path,
});
export type MoveRepoRequest = Static<typeof MoveRepoSchema>;

export const DeleteRepoSchema = Type.Object({
  repo_path: path,
  /** Its jobs and reviews as well; without it a repository that has jobs stays. */
  cascade: Type.Optional(Type.Boolean()),
});
export type DeleteRepoRequest = Static<typeof DeleteRepoSchema>;

export const MergeReposSchema = Type.Object({
  /** Is gone afterwards. */
  from_path: path,
  into_path: path,
});
export type MergeReposRequest = Static<typeof MergeReposSchema>;

export const HookTrustSchema = Type.Object({
  /** A path in the checkout whose `.roborev.toml` is meant. */
  repo_path: path,
  /** What was read and allowed, as `GET /api/repos/hooks` names it; left out: nothing is trusted any more. */
  digest: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
});
export type HookTrustRequest = Static<typeof HookTrustSchema>;

/** Nothing needs to be said. */
export const EmptySchema = Type.Object({});

/** The number of a job in a query. */
export const IdTextSchema = Type.String({ pattern: "^[1-9]\\d{0,14}$" });

export const JobIdSchema = Type.Object({ job_id: Type.Integer({ minimum: 1 }) });
export type JobIdRequest = Static<typeof JobIdSchema>;

export const JobIdsSchema = Type.Object({
  job_ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 100 }),
});
export type JobIdsRequest = Static<typeof JobIdsSchema>;

export const UpdateBranchSchema = Type.Object({
  job_id: Type.Integer({ minimum: 1 }),
  /** A name that a branch can have. */
  branch: Type.String({ maxLength: 1024, pattern: "^(?![-/])[^\\s~^:?*\\[\\\\\\x00-\\x1f\\x7f]+$" }),
});
export type UpdateBranchRequest = Static<typeof UpdateBranchSchema>;

/** An agent that has no quota left. */
export const QuotaSchema = Type.Object({
  agent: Type.String({ minLength: 1, maxLength: 128 }),
  /** What its program said. */
  reason: Type.String({ maxLength: 4096 }),
  /** For how long, where it said so. */
  rest_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 * 24 * 3_600_000 })),
});
export type QuotaRequest = Static<typeof QuotaSchema>;

export const CloseSchema = Type.Object({
  job_id: Type.Integer({ minimum: 1 }),
  closed: Type.Boolean(),
  closed_by: Type.Optional(name),
  /** Working tree that the caller stands in. */
  worktree_path: Type.Optional(path),
});
export type CloseRequest = Static<typeof CloseSchema>;

const findingNumber = Type.Integer({ minimum: 1 });

/** A commit by its full SHA. */
export const ShaSchema = Type.String({ pattern: "^(?:[0-9a-f]{40}|[0-9a-f]{64})$" });

export const CommentRequestSchema = Type.Object({
  job_id: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Instead of `job_id`: the newest job that is about this commit alone. */
  sha: Type.Optional(ShaSchema),
  /** With `sha`: main root of the repository. */
  repo: Type.Optional(path),
  commenter: Type.String({ minLength: 1, maxLength: 128 }),
  /** May be left out where a finding is `fixed`. */
  comment: Type.Optional(Type.String({ minLength: 1, maxLength: 256 * 1024 })),
  /** With `disposition`: which findings it is about, by their numbers. */
  finding: Type.Optional(
    Type.Union([findingNumber, Type.Array(findingNumber, { minItems: 1, maxItems: 1000 })]),
  ),
  disposition: Type.Optional(DispositionStateSchema),
  /** Working tree that the caller stands in. */
  worktree_path: Type.Optional(path),
});
export type CommentRequest = Static<typeof CommentRequestSchema>;

export const RemapSchema = Type.Object({
  repo_path: path,
  mappings: Type.Array(
    Type.Object({
      old_sha: Type.String({ pattern: "^[0-9a-f]{40,64}$" }),
      new_sha: Type.String({ pattern: "^[0-9a-f]{40,64}$" }),
    }),
    { maxItems: 1000 },
  ),
});
export type RemapRequest = Static<typeof RemapSchema>;

export const ShutdownSchema = Type.Object({
  /**
   * What becomes of running jobs. `interrupt`, the default: they go back into the queue. `wait`: they end first, and
   * nothing new begins. `abort`: where there are any, the daemon goes on.
   */
  mode: Type.Optional(Type.Union([Type.Literal("wait"), Type.Literal("interrupt"), Type.Literal("abort")])),
});
export type ShutdownRequest = Static<typeof ShutdownSchema>;
export type DrainMode = NonNullable<ShutdownRequest["mode"]>;

export const SnoozeSchema = Type.Object({
  /** Main root of the repository. */
  repo_path: path,
  worktree_path: path,
  /** Left out or empty: a detached HEAD. */
  branch: Type.Optional(Type.String({ maxLength: 1024 })),
  enabled: Type.Boolean(),
  /** With `enabled`: RFC 3339, in the future. */
  snoozed_until: Type.Optional(Type.String({ maxLength: 64 })),
});
export type SnoozeRequest = Static<typeof SnoozeSchema>;

/** A UUID that stands for something: not all zeros. */
export const FixDoneSchema = Type.Object({ fix_session_id: Type.String({ pattern: uuidPattern }) });
export type FixDoneRequest = Static<typeof FixDoneSchema>;

export const ResetSchema = Type.Object({
  session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 640 })),
  all: Type.Optional(Type.Boolean()),
});
export type ResetRequest = Static<typeof ResetSchema>;
