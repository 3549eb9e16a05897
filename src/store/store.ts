import type { CompletedReview, NewJob } from "./job-input.ts";
import type {
  ActiveSnooze,
  Comment,
  DispositionState,
  Job,
  JobStatus,
  JobType,
  Repo,
  Review,
  ReviewFinding,
} from "./schema.ts";

export interface JobFilter {
  status?: JobStatus;
  /** Main root of the repository. */
  repo?: string;
  /** Root paths below this directory; ignored when `repo` is set. */
  repoPrefix?: string;
  gitRef?: string;
  /** Ranges that end at this commit, by its full SHA. */
  rangeEnd?: string;
  branch?: string;
  /** With `branch`: also jobs without a branch. */
  branchIncludeEmpty?: boolean;
  jobType?: JobType;
  /** Jobs of this type are left out. */
  exceptJobType?: JobType;
  /** true: closed reviews only; false: no review, or an open one. Fixes have none, and are in neither. */
  closed?: boolean;
  /** Only ids below this one (paging). */
  before?: number;
  /** Default 50; 0 means all, up to 10,000. */
  limit?: number;
  /** So many of the newest are left out. */
  offset?: number;
}

/** Of a job what statistics are made of. */
export type JobFacts = Pick<Job, "agent" | "job_type" | "status" | "retry_count" | "enqueued_at"> &
  Required<Pick<Job, "repo_name" | "repo_path">> &
  Partial<Pick<Job, "verdict" | "closed" | "error" | "started_at" | "finished_at">>;

export interface FactsFilter {
  /** Ids above `after`, up to and with `upTo`. */
  after: number;
  upTo: number;
  /** Queued no earlier. */
  since: Date;
  /** Main root. */
  repo?: string | undefined;
  branch?: string | undefined;
}

export interface JobPage {
  jobs: Job[];
  hasMore: boolean;
  /** Counted with the same filter, status aside. */
  stats: { done: number; closed: number; open: number };
}

export interface Rewrite {
  repoId: number;
  oldSha: string;
  newSha: string;
  /** Reviews that this supersedes are closed: nobody has the old commit any more. */
  closes?: boolean;
}

export type RangeJob = Pick<Job, "id" | "git_ref" | "status" | "review_type" | "source">;

export interface ClaimOptions {
  /** A repository with so many running jobs waits while jobs of others do. Default: no limit. */
  perRepo?: number;
  /** Jobs that must not be claimed now. */
  except?: number[];
}

/** An open failed review, as the reminder policy sees it. */
export interface OpenFailedReview {
  jobId: number;
  jobType: JobType;
  gitRef: string;
  branch: string;
  worktreePath: string;
}

export interface ReviewerProcess {
  pid: number;
  /** Identity of the process beyond its pid: its start time as the system tells it. */
  startTime: string;
}

export interface RepoFilter {
  /** Root paths below this directory. */
  prefix?: string | undefined;
  branch?: string | undefined;
}

export interface Repos {
  /** Paths are stored and looked up as given: callers pass real paths. A repository that was inactive becomes active. */
  getOrCreate(repo: { rootPath: string; name: string; identity: string }): Repo;
  findByRoot(rootPath: string): Repo | undefined;
  /** With a branch, only its jobs are counted, and a repository without one is left out. */
  list(filter?: RepoFilter): (Repo & { job_count: number })[];
  /** Deletes the repository when it has no jobs (or with `purge`, with everything it has), else marks it inactive. */
  unregister(rootPath: string, options: { purge: boolean }): "deleted" | "deactivated" | "unknown";
  rename(id: number, name: string): void;
  /** Throws when another repository has the path. */
  move(id: number, to: { rootPath: string; identity: string }): void;
  /** Deletes it with everything it has. */
  remove(id: number): void;
  /** Gives jobs and commits of one repository to another and deletes it; how many jobs. */
  merge(from: number, into: number): number;
  /** A job of the repository that is running. */
  runningJob(id: number): number | undefined;
}

export interface Commits {
  getOrCreate(commit: {
    repoId: number;
    sha: string;
    author: string;
    subject: string;
    timestamp: string;
  }): number;
}

/** Changes after a claim name the worker: a late result of a worker that lost the job has no effect and returns false. */
export interface Jobs {
  /**
   * With `source: "post_commit"`, an equal job that is not canceled is returned instead of a second one; for a commit
   * also one of its branch that was queued the same way and ends with it.
   */
  enqueue(job: NewJob): { job: Job; duplicate: boolean };
  /** The newest job of a commit hook that still waits, by its `notBefore`, for the branch to come to rest. */
  settling(place: { repoId: number; branch: string }): Job | undefined;
  /** Makes it another one, under its number; undefined: it has changed since it was `seen`, or waits no more. */
  replaceSettling(seen: Pick<Job, "id" | "git_ref">, job: NewJob): Job | undefined;
  get(id: number): Job | undefined;
  /** Those of these jobs that exist, as lists show them: without prompt, diff and patch. */
  listed(ids: readonly number[]): Job[];
  list(filter: JobFilter): JobPage;
  /** Oldest queued job that may run now, marked running for this worker. */
  claim(workerId: string, options?: ClaimOptions): Job | undefined;
  /** Also of a job that was canceled since it was claimed: a next daemon must know the process. */
  recordProcess(id: number, workerId: string, process: ReviewerProcess): boolean;
  savePrompt(id: number, workerId: string, prompt: string, commandLine: string): boolean;
  complete(id: number, workerId: string, review: CompletedReview): boolean;
  /** Back to the queue, one retry used up, not to be claimed before `notBefore`. */
  retry(id: number, workerId: string, error: string, notBefore: Date): boolean;
  fail(id: number, workerId: string, error: string): boolean;
  skip(id: number, workerId: string, reason: string): boolean;
  /** Running to queued without using up a retry (daemon stop). */
  release(id: number, workerId: string): boolean;
  /** Back to the queue for another reviewer, with all retries anew; false also if that one had its turn before. */
  failOver(id: number, workerId: string, to: { agent: string; model?: string }, error: string): boolean;
  /** queued or running to canceled. A worker that had it keeps it until `letGo`. */
  cancel(id: number): boolean;
  /** The worker of a canceled job has ended everything that it had started. */
  letGo(id: number, workerId: string): boolean;
  /** done, failed, canceled or skipped to queued; an earlier review is kept in review_attempts. */
  rerun(id: number): boolean;
  /** done to applied or rebased, of a fix; false: it is not that. */
  settleFix(id: number, status: "applied" | "rebased"): boolean;
  /** Gives a job that has no branch one; false: it has, or there is no such job. */
  fillBranch(id: number, branch: string): boolean;
  /** What a fix changed, as git said it. */
  patch(id: number): Uint8Array<ArrayBuffer> | undefined;
  /** Processes recorded for jobs that are still marked running by other workers (a daemon that died). */
  orphanProcesses(): ReviewerProcess[];
  /** Main roots of the repositories whose jobs a daemon that died was working on, canceled ones included. */
  interruptedRepos(): string[];
  /** Every running job back to queued; how many. Only at daemon start, under its lock. */
  requeueRunning(): number;
  counts(): Record<JobStatus, number>;
  /** Branches that jobs carry, of these repositories or of all, the latest used first; the empty name stands for none. */
  branches(rootPaths?: readonly string[]): { name: string; count: number }[];
  /** Open failed reviews (types review, range, dirty, compact; not superseded) of a repository, whatever the branch; oldest first. */
  openFailed(repoId: number): OpenFailedReview[];
  /** 0: there is none. */
  newestId(): number;
  /** Of jobs in a range of ids, so that a caller can let other work have its turn in between. */
  facts(filter: FactsFilter): JobFacts[];
  /** Which of these ids are no longer open failed reviews. */
  settled(ids: number[]): Set<number>;
  /** Moves jobs of `oldSha` to `newSha` (same patch id), running ones when they end; returns how many. */
  remap(change: Rewrite & { patchId: string; commitId: number }): number;
  /** Marks jobs of a commit that was rewritten with other content; returns how many. */
  supersede(change: Rewrite): number;
  /** Reviews of ranges on a branch that nothing superseded, whatever their state. */
  ranges(place: { repoId: number; branch: string }): RangeJob[];
  /** What a running job is going to be called when it ends, because its commit was rewritten. */
  nextRef(id: number): string | undefined;
  /** Gives a review of a range another one, a running job when it ends. */
  moveRange(id: number, gitRef: string): void;
  supersedeRange(id: number, change: Pick<Rewrite, "newSha" | "closes">): void;
}

/** Of a review what a list shows, without reading the rest of it. */
export interface ReviewOutline {
  job: Job;
  findings?: ReviewFinding[];
  /** How its text begins. */
  start: string;
}

export interface Reviews {
  byJob(jobId: number): Review | undefined;
  /** Those of these jobs that have a review, oldest first. */
  outlines(jobIds: number[]): ReviewOutline[];
  /** Newest review of a commit or ref, by job id; `repo` is a main root. */
  byRef(gitRef: string, repo?: string): Review | undefined;
  /** Reviews of a ref in a repository, newest first, by job id. */
  allByRef(gitRef: string, scope: { repoId: number; limit: number }): Review[];
  /** When a review was closed, without reading the review; empty: it is open. Undefined: there is none. */
  closedAt(jobId: number): string | undefined;
  setClosed(jobId: number, closed: boolean, by: string): boolean;
  /** Earlier attempts at the same job, newest first. */
  attempts(jobId: number): Pick<Review, "agent" | "output" | "created_at" | "findings">[];
}

/** A commit by its number here, or by its full SHA: in one repository, by its main root, or in whichever has it. */
export type CommitName = { id: number } | { sha: string; repo?: string | undefined };

export interface Comments {
  add(comment: { jobId: number; responder: string; response: string }): Comment | undefined;
  forJob(jobId: number): Comment[];
  /** On a commit itself and on the jobs that review it alone; undefined: no job has ever been about it. */
  forCommit(commit: CommitName): Comment[] | undefined;
}

export interface Dispositions {
  /** Says of findings of the job's review, which must have these numbers, what has become of them. */
  add(given: {
    jobId: number;
    findings: readonly number[];
    state: DispositionState;
    responder: string;
    message?: string | undefined;
  }): void;
}

/** What a snooze covers: one branch of one working tree; the empty branch is a detached HEAD. */
export interface SnoozeScope {
  repoId: number;
  worktreePath: string;
  branch: string;
}

/** A snooze holds while its deadline lies ahead, and not before the time it was set at: the clock may be set back. */
export interface Snoozes {
  /** Deadline of the snooze that holds here. Every hook event asks, so it is answered from memory. */
  until(repoId: number, worktreePath: string, branch: string, now: Date): Date | undefined;
  /** Replaces the scope's deadline. */
  set(snooze: SnoozeScope & { until: Date }): void;
  clear(scope: SnoozeScope): void;
  /** Those that hold, in repositories that are active, by repository name, working tree and branch. */
  active(now: Date): ActiveSnooze[];
}

export interface KeyValues {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** The database. Calls are synchronous and may throw SQLITE_BUSY: callers in the daemon go through `retryBusy`. */
export interface Store {
  repos: Repos;
  commits: Commits;
  jobs: Jobs;
  reviews: Reviews;
  comments: Comments;
  dispositions: Dispositions;
  snoozes: Snoozes;
  kv: KeyValues;
  /** Grows with every row that is written. The daemon is the one writer: until then, what was read is still true. */
  changes(): number;
  /** Several calls as one transaction. */
  transaction<T>(work: () => T): T;
  /** `PRAGMA quick_check`; the problems it found, empty when sound. */
  check(): string[];
  close(): void;
}
