import type { ReviewHook } from "../../config/hooks-schema.ts";
import type { DeliveryStage } from "../../reminder/deliveries.ts";
import type { Delivery, FixSession, Session } from "../../reminder/state.ts";
import type { Cooldown } from "../../review/cooldowns.ts";
import type {
  ActiveSnooze,
  Comment,
  Job,
  JobStatus,
  JobType,
  Repo,
  Review,
  ReviewFinding,
} from "../../store/schema.ts";
import type { HealthComponent, RecentError } from "./health.ts";

// What the daemon answers, for its typed client. Errors are `{error, code?, hint?}` with a 4xx or 5xx status.

export interface ErrorBody {
  error: string;
  code?: string;
  /** What the user can do about it. */
  hint?: string;
}

export interface Ping {
  service: "roborev";
  version: string;
  api_version: number;
  pid: number;
  data_dir: string;
  /** The service manager that started it and keeps it running, if one did. */
  managed_by?: string;
}

export type EnqueueResponse = Job | { skipped: true; reason: string };

/** A background fix whose patch was applied, or made anew. */
export interface SettledFixResponse {
  status: "applied" | "rebased";
}

export interface JobsResponse {
  jobs: Job[];
  has_more: boolean;
  stats: { done: number; closed: number; open: number };
}

/** By the numbers of the jobs; one that there is not is left out. */
export interface BatchResponse {
  results: Record<string, { job: Job; review?: Omit<Review, "prompt" | "job"> }>;
}

export interface UpdateBranchResponse {
  /** false: the job has a branch, which stays. */
  updated: boolean;
}

export interface CommentsResponse {
  /** Oldest first. */
  responses: Comment[];
}

export interface BranchesResponse {
  /** The latest used first; the empty name stands for jobs without a branch. */
  branches: { name: string; count: number }[];
  /** Jobs of all of them. */
  total_count: number;
}

export interface ReviewResponse extends Review {
  job: Job;
  comments: Comment[];
}

/** Findings that somebody said something of, as they are now. */
export interface DispositionResponse {
  job_id: number;
  findings: ReviewFinding[];
}

/** An open failed review in a list. */
export interface OpenReview extends Job {
  /** One line: what was found. */
  summary: string;
}

export interface OpenReviewsResponse {
  /** Oldest first. */
  reviews: OpenReview[];
  /** Whose they are; empty for a detached HEAD, absent where all branches were asked for. */
  branch?: string;
  /** false: no commit of this repository is reviewed. */
  tracked: boolean;
}

export interface ReposResponse {
  repos: (Repo & { job_count: number })[];
  /** Jobs of all of them. */
  total_count: number;
}

export interface MergeReposResponse {
  moved_jobs: number;
  repo: Repo;
}

export interface ResolveRepoResponse {
  tracked: boolean;
  repo?: Pick<Repo, "root_path" | "identity" | "name"> & { agent_hook_snoozed_until?: string };
}

/** The hooks that a checkout's `.roborev.toml` asks for. */
export interface RepoHooksResponse {
  /** Main root of the repository. */
  repo_path: string;
  file: string;
  hooks: ReviewHook[];
  /** What is left out or has no effect, one line each. */
  problems: string[];
  /** Of what the file says about hooks; absent where it says nothing. */
  digest?: string;
  trusted: boolean;
}

export interface HookTrustResponse {
  repo_path: string;
  trusted: boolean;
  /** false: it was so before. */
  changed: boolean;
}

export interface SnoozeResponse {
  snoozed: boolean;
  snoozed_until?: string;
}

export interface DaemonStatus {
  version: string;
  pid: number;
  uptime_seconds: number;
  socket: string;
  data_dir: string;
  queued_jobs: number;
  running_jobs: number;
  completed_jobs: number;
  failed_jobs: number;
  canceled_jobs: number;
  skipped_jobs: number;
  applied_jobs: number;
  rebased_jobs: number;
  active_workers: number;
  max_workers: number;
  /** Nothing new begins until `roborev unpause`. */
  queue_paused: boolean;
  /** The daemon stops as soon as the running jobs have ended. */
  draining: boolean;
  /** Reviewers that are not asked for a while. */
  agent_cooldowns: Cooldown[];
  healthy: boolean;
  components: HealthComponent[];
  /** New sound versions of the user's configuration since the start. */
  config_reload_counter: number;
  config_reloaded_at?: string;
  active_snoozes: ActiveSnooze[];
  recent_errors: RecentError[];
}

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

export interface FixDoneResponse {
  ok: true;
  /** false: the fix session was over already, or is not known. */
  released: boolean;
}

export interface QueueResponse {
  paused: boolean;
}

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

export interface RemapResponse {
  remapped: number;
  superseded: number;
  skipped: number;
}
