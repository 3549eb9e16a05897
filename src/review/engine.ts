import type { Clock } from "../lib/clock.ts";
import { redactSecrets } from "../lib/redact.ts";
import type { Job } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** How a job ended, for the store. */
export type JobOutcome =
  | { kind: "completed" }
  | { kind: "skipped"; reason: string }
  | { kind: "failed"; error: string; retryable: boolean }
  /** The job was canceled, or the daemon is stopping: nothing is recorded as its result. */
  | { kind: "aborted" };

export interface EngineOptions {
  workers: number;
  /** Prefix of the worker ids: which daemon, which life of it. */
  daemonId: string;
  clock: Clock;
  database<T>(work: (store: Store) => T): Promise<T>;
  /** Does the job and stores a completed review itself, together with the job's new status. */
  run(job: Job, workerId: string, signal: AbortSignal): Promise<JobOutcome>;
  onError(component: string, error: unknown, jobId?: number): void;
  /** A worker is done with a job and its state is recorded, whatever that is by now. Never rejects. */
  onEnded?(jobId: number, workerId: string): Promise<void>;
  /** Pause after the database failed. Default 5 s. */
  errorPauseMs?: number;
}

/** Waits before the first, second and third retry. */
const retryDelaysMs = [2_000, 10_000, 30_000];
const pollMs = 2_000;
const defaultErrorPauseMs = 5_000;

interface Running {
  controller: AbortController;
  done: Promise<void>;
}

/** The pool of workers: claims jobs oldest first, runs them, records how they ended. */
export class Engine {
  private readonly running = new Map<number, Running>();
  private readonly idleWorkers: string[];
  private stopping = false;
  private readonly stopped = Promise.withResolvers<void>();
  private readonly errorPauseMs: number;
  private claiming = false;
  private wokenMeanwhile = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: EngineOptions) {
    this.errorPauseMs = options.errorPauseMs ?? defaultErrorPauseMs;
    this.idleWorkers = Array.from({ length: options.workers }, (_, n) => `${options.daemonId}:${n}`);
  }

  get workers(): number {
    return this.options.workers;
  }

  get activeWorkers(): number {
    return this.running.size;
  }

  start(): void {
    this.wake();
  }

  /** There may be something to claim. */
  wake(): void {
    if (this.stopping) return;
    if (this.claiming) {
      this.wokenMeanwhile = true;
      return;
    }
    void this.claimAll();
  }

  /** Ends the reviewer of a job that was canceled in the database. */
  abort(jobId: number): void {
    this.running.get(jobId)?.controller.abort();
  }

  /** Stops claiming, ends every reviewer, puts their jobs back into the queue without using up a retry. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.stopped.resolve();
    clearTimeout(this.timer);
    for (const { controller } of this.running.values()) controller.abort();
    await Promise.all([...this.running.values()].map((run) => run.done));
  }

  private async claimAll(): Promise<void> {
    this.claiming = true;
    clearTimeout(this.timer);
    let nextPollMs = pollMs;
    try {
      do {
        this.wokenMeanwhile = false;
        while (!this.stopping && this.idleWorkers.length > 0) {
          const workerId = this.idleWorkers[0] as string;
          const job = await this.options.database((store) => store.jobs.claim(workerId));
          if (!job) break;
          this.idleWorkers.shift();
          this.launch(job, workerId);
        }
      } while (this.wokenMeanwhile);
    } catch (error) {
      this.options.onError("workers", error);
      nextPollMs = this.errorPauseMs;
    } finally {
      this.claiming = false;
    }
    if (!this.stopping) this.timer = setTimeout(() => this.wake(), nextPollMs);
  }

  private launch(job: Job, workerId: string): void {
    const controller = new AbortController();
    const done = this.execute(job, workerId, controller.signal).finally(() => {
      this.running.delete(job.id);
      this.idleWorkers.push(workerId);
      this.wake();
    });
    this.running.set(job.id, { controller, done });
  }

  /** Never rejects: an error of ours is the job's failure. */
  private async execute(job: Job, workerId: string, signal: AbortSignal): Promise<void> {
    const outcome = await this.options
      .run(job, workerId, signal)
      .catch((error): JobOutcome => ({ kind: "failed", error: messageOf(error), retryable: true }));
    if (outcome.kind === "failed") {
      outcome.error = redactSecrets(outcome.error); // it may quote what a reviewer printed
      this.options.onError("reviewer", outcome.error, job.id);
    }
    await this.settle(job, workerId, signal.aborted ? { kind: "aborted" } : outcome);
  }

  /** Records how a job ended, however long the database takes no writes: a job that nobody runs must not stay running. */
  private async settle(job: Job, workerId: string, outcome: JobOutcome): Promise<void> {
    for (;;) {
      try {
        await this.options.database((store) => this.record(store, job, workerId, outcome));
        await this.options.onEnded?.(job.id, workerId);
        return;
      } catch (error) {
        this.options.onError("workers", error, job.id);
        if (this.stopping) return; // the next start puts it back
        await this.pause();
      }
    }
  }

  private async pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.errorPauseMs);
    await Promise.race([promise, this.stopped.promise]);
    clearTimeout(timer);
  }

  private record(store: Store, job: Job, workerId: string, outcome: JobOutcome): void {
    switch (outcome.kind) {
      case "completed":
        return;
      case "skipped":
        store.jobs.skip(job.id, workerId, outcome.reason);
        return;
      case "aborted":
        // A canceled job is no longer running: releasing it has no effect.
        store.jobs.release(job.id, workerId);
        return;
      case "failed": {
        const delayMs = retryDelaysMs[job.retry_count];
        if (!outcome.retryable || delayMs === undefined) store.jobs.fail(job.id, workerId, outcome.error);
        else
          store.jobs.retry(
            job.id,
            workerId,
            outcome.error,
            new Date(this.options.clock.now().getTime() + delayMs),
          );
      }
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
