import { type Static, Type } from "@sinclair/typebox";
import { ReviewHookSchema } from "../../config/hooks-schema.ts";
import type { DeliveryStage } from "../../reminder/deliveries.ts";
import type { Delivery, FixSession, Session } from "../../reminder/state.ts";
import { CooldownSchema } from "../../review/cooldowns.ts";
import {
  ActiveSnoozeSchema,
  CommentSchema,
  type Job,
  JobSchema,
  type JobStatus,
  type JobType,
  RepoSchema,
  ReviewFindingSchema,
  ReviewSchema,
} from "../../store/schema.ts";
import { HealthComponentSchema, RecentErrorSchema } from "./health.ts";

// What the daemon answers, for its typed client. Errors are `{error, code?, hint?}` with a 4xx or 5xx status.

export const ErrorBodySchema = Type.Object({
  error: Type.String(),
  code: Type.Optional(Type.String()),
  /** What the user can do about it. */
  hint: Type.Optional(Type.String()),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;

export const PingSchema = Type.Object({
  service: Type.Literal("roborev"),
  version: Type.String(),
  api_version: Type.Integer(),
  pid: Type.Integer(),
  data_dir: Type.String(),
  /** The service manager that started it and keeps it running, if one did. */
  managed_by: Type.Optional(Type.String()),
});
export type Ping = Static<typeof PingSchema>;

export const SkippedSchema = Type.Object({ skipped: Type.Literal(true), reason: Type.String() });
export type EnqueueResponse = Job | Static<typeof SkippedSchema>;

/** A background fix whose patch was applied, or made anew. */
export const SettledFixResponseSchema = Type.Object({
  status: Type.Union([Type.Literal("applied"), Type.Literal("rebased")]),
});
export type SettledFixResponse = Static<typeof SettledFixResponseSchema>;

export const JobsResponseSchema = Type.Object({
  jobs: Type.Array(JobSchema),
  has_more: Type.Boolean(),
  stats: Type.Object({ done: Type.Integer(), closed: Type.Integer(), open: Type.Integer() }),
});
export type JobsResponse = Static<typeof JobsResponseSchema>;

/** By the numbers of the jobs; one that there is not is left out. */
export const BatchResponseSchema = Type.Object({
  results: Type.Record(
    Type.String(),
    Type.Object({ job: JobSchema, review: Type.Optional(Type.Omit(ReviewSchema, ["prompt", "job"])) }),
  ),
});
export type BatchResponse = Static<typeof BatchResponseSchema>;

export const UpdateBranchResponseSchema = Type.Object({
  /** false: the job has a branch, which stays. */
  updated: Type.Boolean(),
});
export type UpdateBranchResponse = Static<typeof UpdateBranchResponseSchema>;

export const CommentsResponseSchema = Type.Object({
  /** Oldest first. */
  responses: Type.Array(CommentSchema),
});
export type CommentsResponse = Static<typeof CommentsResponseSchema>;

export const BranchesResponseSchema = Type.Object({
  /** The latest used first; the empty name stands for jobs without a branch. */
  branches: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
  /** Jobs of all of them. */
  total_count: Type.Integer(),
});
export type BranchesResponse = Static<typeof BranchesResponseSchema>;

export const ReviewResponseSchema = Type.Object({
  ...ReviewSchema.properties,
  job: JobSchema,
  comments: Type.Array(CommentSchema),
});
export type ReviewResponse = Static<typeof ReviewResponseSchema>;

/** Findings that somebody said something of, as they are now. */
export const DispositionResponseSchema = Type.Object({
  job_id: Type.Integer(),
  findings: Type.Array(ReviewFindingSchema),
});
export type DispositionResponse = Static<typeof DispositionResponseSchema>;

/** An open failed review in a list. */
export const OpenReviewSchema = Type.Object({
  ...JobSchema.properties,
  /** One line: what was found. */
  summary: Type.String(),
});
export type OpenReview = Static<typeof OpenReviewSchema>;

export const OpenReviewsResponseSchema = Type.Object({
  /** Oldest first. */
  reviews: Type.Array(OpenReviewSchema),
  /** Whose they are; empty for a detached HEAD, absent where all branches were asked for. */
  branch: Type.Optional(Type.String()),
  /** false: no commit of this repository is reviewed. */
  tracked: Type.Boolean(),
});
export type OpenReviewsResponse = Static<typeof OpenReviewsResponseSchema>;

export const ReposResponseSchema = Type.Object({
  repos: Type.Array(Type.Object({ ...RepoSchema.properties, job_count: Type.Integer() })),
  /** Jobs of all of them. */
  total_count: Type.Integer(),
});
export type ReposResponse = Static<typeof ReposResponseSchema>;

export const MergeReposResponseSchema = Type.Object({
  moved_jobs: Type.Integer(),
  repo: RepoSchema,
});
export type MergeReposResponse = Static<typeof MergeReposResponseSchema>;

export const ResolveRepoResponseSchema = Type.Object({
  tracked: Type.Boolean(),
  repo: Type.Optional(
    Type.Object({
      ...Type.Pick(RepoSchema, ["root_path", "identity", "name"]).properties,
      agent_hook_snoozed_until: Type.Optional(Type.String()),
    }),
  ),
});
export type ResolveRepoResponse = Static<typeof ResolveRepoResponseSchema>;

/** The hooks that a checkout's `.roborev.toml` asks for. */
export const RepoHooksResponseSchema = Type.Object({
  /** Main root of the repository. */
  repo_path: Type.String(),
  file: Type.String(),
  hooks: Type.Array(ReviewHookSchema),
  /** What is left out or has no effect, one line each. */
  problems: Type.Array(Type.String()),
  /** Of what the file says about hooks; absent where it says nothing. */
  digest: Type.Optional(Type.String()),
  trusted: Type.Boolean(),
});
export type RepoHooksResponse = Static<typeof RepoHooksResponseSchema>;

export const HookTrustResponseSchema = Type.Object({
  repo_path: Type.String(),
  trusted: Type.Boolean(),
  /** false: it was so before. */
  changed: Type.Boolean(),
});
export type HookTrustResponse = Static<typeof HookTrustResponseSchema>;

export const SnoozeResponseSchema = Type.Object({
  snoozed: Type.Boolean(),
  snoozed_until: Type.Optional(Type.String()),
});
export type SnoozeResponse = Static<typeof SnoozeResponseSchema>;

export const DaemonStatusSchema = Type.Object({
  version: Type.String(),
  pid: Type.Integer(),
  uptime_seconds: Type.Integer(),
  socket: Type.String(),
  data_dir: Type.String(),
  queued_jobs: Type.Integer(),
  running_jobs: Type.Integer(),
  completed_jobs: Type.Integer(),
  failed_jobs: Type.Integer(),
  canceled_jobs: Type.Integer(),
  skipped_jobs: Type.Integer(),
  applied_jobs: Type.Integer(),
  rebased_jobs: Type.Integer(),
  active_workers: Type.Integer(),
  max_workers: Type.Integer(),
  /** Nothing new begins until `roborev unpause`. */
  queue_paused: Type.Boolean(),
  /** The daemon stops as soon as the running jobs have ended. */
  draining: Type.Boolean(),
  /** Reviewers that are not asked for a while. */
  agent_cooldowns: Type.Array(CooldownSchema),
  healthy: Type.Boolean(),
  components: Type.Array(HealthComponentSchema),
  /** New sound versions of the user's configuration since the start. */
  config_reload_counter: Type.Integer(),
  config_reloaded_at: Type.Optional(Type.String()),
  active_snoozes: Type.Array(ActiveSnoozeSchema),
  recent_errors: Type.Array(RecentErrorSchema),
});
export type DaemonStatus = Static<typeof DaemonStatusSchema>;

export interface ShownFixSession extends FixSession {
  /** Those of its reviews that are not dealt with; none: it is over. Absent where it is not known what it is about. */
  open_review_ids?: number[];
}

/** The reminder state, in the shape of `state.json`. Empty tables but the first are absent. */
export interface HookStateResponse {
  sessions: Record<string, Session>;
  fix_sessions?: Record<string, ShownFixSession>;
  deliveries?: Record<string, Delivery>;
}

/** A delivered reminder as `agent-hook log` shows it. */
export interface DeliveryRecord extends Delivery {
  id: string;
  stage: DeliveryStage;
  /** It is known to have reached the model. */
  confirmed: boolean;
}

export interface DeliveriesResponse {
  /** Newest first. */
  deliveries: DeliveryRecord[];
  has_more: boolean;
}

export const FixDoneResponseSchema = Type.Object({
  ok: Type.Literal(true),
  /** false: the fix session was over already, or is not known. */
  released: Type.Boolean(),
});
export type FixDoneResponse = Static<typeof FixDoneResponseSchema>;

export const QueueResponseSchema = Type.Object({
  paused: Type.Boolean(),
});
export type QueueResponse = Static<typeof QueueResponseSchema>;

interface VerdictCounts {
  total: number;
  passed: number;
  failed: number;
}

/** Statistics of the jobs queued since a time. A rate (0 to 1) or a duration of nothing is absent. */
export interface SummaryResponse {
  since: string;
  repo_path?: string;
  branch?: string;
  overview: Record<JobStatus | "total", number>;
  /** `addressed`: failed, and closed by now; `resolution_rate` is their part of the failed ones. */
  verdicts: VerdictCounts & { addressed: number; pass_rate?: number; resolution_rate?: number };
  /** `total` counts jobs, `errors` those that ended without a review. */
  agents: (VerdictCounts & {
    agent: string;
    errors: number;
    pass_rate?: number;
    median_duration_secs?: number;
  })[];
  duration: { [name in `${"review" | "queue"}_p${50 | 90 | 99}_secs`]?: number };
  job_types: { type: JobType; count: number }[];
  /** `retries` of all jobs; `errors` by category. */
  failures: { total: number; retries: number; errors: Record<string, number> };
  /** Of all repositories: each by itself; `total` counts jobs. */
  repos?: (VerdictCounts & { name: string; path: string; addressed: number })[];
}

export const RemapResponseSchema = Type.Object({
  remapped: Type.Integer(),
  superseded: Type.Integer(),
  skipped: Type.Integer(),
});
export type RemapResponse = Static<typeof RemapResponseSchema>;
