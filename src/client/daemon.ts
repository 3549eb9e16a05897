import type {
  CloseRequest,
  CommentRequest,
  DeleteRepoRequest,
  DrainMode,
  EnqueueRequest,
  FixDoneRequest,
  FixJobRequest,
  HookTrustRequest,
  MergeReposRequest,
  MoveRepoRequest,
  QuotaRequest,
  RemapRequest,
  RenameRepoRequest,
  RepoPathRequest,
  ResetRequest,
  SnoozeRequest,
} from "../daemon/api/requests.ts";
import type {
  BranchesResponse,
  DaemonStatus,
  DeliveriesResponse,
  DispositionResponse,
  EnqueueResponse,
  FixDoneResponse,
  HookStateResponse,
  HookTrustResponse,
  JobsResponse,
  MergeReposResponse,
  OpenReviewsResponse,
  Ping,
  QueueResponse,
  RemapResponse,
  RepoHooksResponse,
  ReposResponse,
  ResolveRepoResponse,
  ReviewResponse,
  SettledFixResponse,
  SnoozeResponse,
  SummaryResponse,
} from "../daemon/api/responses.ts";
import type { Cooldown } from "../review/cooldowns.ts";
import type { Comment, Job, JobStatus, JobType, Repo } from "../store/schema.ts";
import { fetchPatch } from "./patch.ts";
import { DaemonRefusal } from "./refusal.ts";
import { DaemonError, requestDaemon } from "./transport.ts";

export interface JobQuery {
  id?: number;
  status?: JobStatus;
  repo?: string;
  repo_prefix?: string;
  git_ref?: string;
  /** Ranges that end at this commit. */
  range_end?: string;
  branch?: string;
  branch_include_empty?: boolean;
  job_type?: JobType;
  exclude_job_type?: JobType;
  closed?: boolean;
  before?: number;
  limit?: number;
}

/** `path`: in the checkout whose reviews are meant. */
export interface OpenReviewsQuery {
  path: string;
  branch?: string;
  all_branches?: boolean;
}

export type ReviewQuery = ({ job_id: number } | { ref: string; repo?: string }) & { worktree?: string };

export type JobComment = CommentRequest & { job_id: number };

/** One function per route that a command needs. Every one rejects with `DaemonError` (no answer) or `DaemonRefusal` (an error status). */
export interface DaemonClient {
  readonly socket: string;
  ping(timeoutMs?: number): Promise<Ping>;
  status(timeoutMs?: number): Promise<DaemonStatus>;
  jobs(query: JobQuery): Promise<JobsResponse>;
  branches(repo: string): Promise<BranchesResponse>;
  summary(query: { since: string; repo?: string; branch?: string }): Promise<SummaryResponse>;
  review(query: ReviewQuery): Promise<ReviewResponse>;
  openReviews(query: OpenReviewsQuery): Promise<OpenReviewsResponse>;
  repos(): Promise<ReposResponse>;
  resolveRepo(query: { path: string; branch?: string }): Promise<ResolveRepoResponse>;
  enqueue(request: EnqueueRequest, timeoutMs?: number): Promise<EnqueueResponse>;
  registerRepo(repoPath: string): Promise<Repo>;
  unregisterRepo(request: RepoPathRequest): Promise<{ outcome: "deleted" | "deactivated" | "unknown" }>;
  renameRepo(request: RenameRepoRequest): Promise<Repo>;
  moveRepo(request: MoveRepoRequest): Promise<Repo>;
  deleteRepo(request: DeleteRepoRequest): Promise<{ deleted_jobs: number }>;
  mergeRepos(request: MergeReposRequest): Promise<MergeReposResponse>;
  repoHooks(path: string): Promise<RepoHooksResponse>;
  trustHooks(request: HookTrustRequest): Promise<HookTrustResponse>;
  cancelJob(jobId: number): Promise<{ success: boolean }>;
  rerunJob(jobId: number): Promise<{ success: boolean }>;
  /** Queues a fix in the background. */
  fixJob(request: FixJobRequest): Promise<Job>;
  /** What a background fix changed, as git said it. */
  patch(jobId: number): Promise<Uint8Array>;
  markApplied(jobId: number): Promise<SettledFixResponse>;
  markRebased(jobId: number): Promise<SettledFixResponse>;
  /** Lets an agent without quota rest; how long it does now. */
  reportQuota(request: QuotaRequest): Promise<Cooldown>;
  pauseQueue(): Promise<QueueResponse>;
  unpauseQueue(): Promise<QueueResponse>;
  closeReview(request: CloseRequest): Promise<{ success: boolean }>;
  /** A disposition is answered with its findings, everything else with the comment. */
  comment(request: JobComment): Promise<Comment | DispositionResponse>;
  remap(request: RemapRequest, timeoutMs?: number): Promise<RemapResponse>;
  shutdown(mode?: DrainMode, timeoutMs?: number): Promise<void>;
  /** Calls off a `shutdown("wait")` that still waits. */
  cancelShutdown(): Promise<void>;
  hookSessions(): Promise<HookStateResponse>;
  resetHookSessions(request: ResetRequest): Promise<{ ok: true }>;
  snooze(request: SnoozeRequest): Promise<SnoozeResponse>;
  hookDeliveries(query: { limit: number; session_id?: string }): Promise<DeliveriesResponse>;
  fixDone(request: FixDoneRequest): Promise<FixDoneResponse>;
}

const defaultTimeoutMs = 10_000;

/** `?a=1&b=x` of the values that are set. */
function queryString(values: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** A client of the daemon that listens on `socket`. Nothing is sent until a function is called. */
export function createDaemonClient(socket: string, request = requestDaemon): DaemonClient {
  async function call<T>(
    method: string,
    path: string,
    body?: unknown,
    timeoutMs = defaultTimeoutMs,
  ): Promise<T> {
    const answer = await request(socket, method, path, body, { timeoutMs });
    if (typeof answer.body !== "object" || answer.body === null || Array.isArray(answer.body)) {
      throw new DaemonError("bad-answer", `the daemon's answer to ${path.split("?")[0]} is not an object`);
    }
    if (answer.status >= 400) throw new DaemonRefusal(answer.status, answer.body as Record<string, unknown>);
    return answer.body as T;
  }
  const get = <T>(path: string, query: object = {}, timeoutMs?: number) =>
    call<T>("GET", `${path}${queryString(query)}`, undefined, timeoutMs);
  const post = <T>(path: string, body: unknown, timeoutMs?: number) => call<T>("POST", path, body, timeoutMs);

  return {
    socket,
    ping: (timeoutMs = 1000) => get("/api/ping", {}, timeoutMs),
    status: (timeoutMs) => get("/api/status", {}, timeoutMs),
    jobs: (query) => get("/api/jobs", query),
    branches: (repo) => get("/api/branches", { repo }),
    summary: (query) => get("/api/summary", query),
    review: (query) => get("/api/review", query),
    openReviews: (query) => get("/api/reviews/open", query),
    repos: () => get("/api/repos"),
    resolveRepo: (query) => get("/api/repos/resolve", query),
    enqueue: (body, timeoutMs) => post("/api/enqueue", body, timeoutMs),
    registerRepo: (repoPath) => post("/api/repos/register", { repo_path: repoPath }),
    unregisterRepo: (body) => post("/api/repos/unregister", body),
    renameRepo: (body) => post("/api/repos/rename", body),
    moveRepo: (body) => post("/api/repos/move", body),
    deleteRepo: (body) => post("/api/repos/delete", body),
    mergeRepos: (body) => post("/api/repos/merge", body),
    repoHooks: (path) => get("/api/repos/hooks", { path }),
    trustHooks: (body) => post("/api/repos/trust", body),
    cancelJob: (jobId) => post("/api/job/cancel", { job_id: jobId }),
    rerunJob: (jobId) => post("/api/job/rerun", { job_id: jobId }),
    fixJob: (body) => post("/api/job/fix", body),
    patch: (jobId) => fetchPatch(socket, jobId),
    markApplied: (jobId) => post("/api/job/applied", { job_id: jobId }),
    markRebased: (jobId) => post("/api/job/rebased", { job_id: jobId }),
    reportQuota: (body) => post("/api/cooldowns", body),
    pauseQueue: () => post("/api/queue/pause", {}),
    unpauseQueue: () => post("/api/queue/unpause", {}),
    closeReview: (body) => post("/api/review/close", body),
    comment: (body) => post("/api/comment", body),
    remap: (body, timeoutMs) => post("/api/remap", body, timeoutMs),
    shutdown: async (mode, timeoutMs = 2000) => {
      await post("/api/shutdown", mode === undefined ? {} : { mode }, timeoutMs);
    },
    cancelShutdown: async () => {
      await post("/api/shutdown/cancel", {}, 2000);
    },
    hookSessions: () => get("/api/agent-hook/sessions"),
    resetHookSessions: (body) => post("/api/agent-hook/reset", body),
    snooze: (body) => post("/api/agent-hook/snooze", body),
    hookDeliveries: (query) => get("/api/agent-hook/deliveries", query),
    fixDone: (body) => post("/api/agent-hook/fix-done", body),
  };
}

/** The newest job of a query, or undefined. */
export async function newestJob(client: DaemonClient, query: JobQuery): Promise<Job | undefined> {
  return (await client.jobs({ ...query, limit: 1 })).jobs[0];
}
