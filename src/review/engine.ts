import type { Clock } from "../lib/clock.ts";
import { redactSecrets } from "../lib/redact.ts";
import type { Job } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { type JobOutcome, recordOutcome } from "./job-outcome.ts";

/** Why a job was told to end: its user gave it up, or the daemon stops and a later one is to begin it anew. */
export type AbortReason = "canceled" | "interrupted";

/** What a worker is told about its job, and tells. */
export interface Turn {
  workerId: string;
  /** Aborted with an `AbortReason`. */
  signal: AbortSignal;
  /** How long this job may take from here on, by its own time-out. */
  expectWithin(ms: number): void;
}

export interface EngineOptions {
  workers: number;
  /** Prefix of the worker ids: which daemon, which life of it. */
  daemonId: string;
  clock: Clock;
  database<T>(work: (store: Store) => T): Promise<T>;
  /** Does the job and stores a completed review itself, together with the job's new status. */
  run(job: Job, turn: Turn): Promise<JobOutcome>;
  onError(component: string, error: unknown, jobId?: number): void;
  /** A worker is done with a job and its state is recorded, whatever that is by now. Never rejects. */
  onEnded?(jobId: number, workerId: string): Promise<void>;
  /** Pause after the database failed. Default 5 s. */
  errorPauseMs?: number;
}

const canceled: AbortReason = "canceled";
const interrupted: AbortReason = "interrupted";

const pollMs = 2_000;
const defaultErrorPauseMs = 5_000;
/** What a worker does before it knows its job's own time-out: git and configuration. */
const preparationMs = 10 * 60_000;
const stalledGraceMs = 2 * 60_000;

interface Running {
  controller: AbortController;
  done: Promise<void>;
  /** On the monotonic clock: beyond this, something is wrong with the worker itself. */
  deadlineMs: number;
}

/** The pool of workers: claims jobs oldest first, runs them, records how they ended. */
export class Engine {
  private readonly running = new Map<number, Running>();
  private readonly idleWorkers: string[];
  private stopping = false;
  /** Set while nothing is claimed because the daemon is about to stop; each wait has its own. */
  private draining: symbol | undefined;
  /** How many ask right now whether it is idle: nothing is claimed meanwhile. */
  private asking = 0;
  private readonly stopped = Promise.withResolvers<void>();
  private readonly errorPauseMs: number;
  private claiming = false;
  private claims = Promise.resolve();
  private wokenMeanwhile = false;
  /** Canceled while they may have been on their way from the database to their worker. */
  private readonly canceledEarly = new Set<number>();
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

  /** Nothing is claimed any more: the daemon is about to stop. */
  get isDraining(): boolean {
    return this.draining !== undefined || this.stopping || this.asking > 0;
  }

  start(): void {
    this.wake();
  }

  /** There may be something to claim. */
  wake(): void {
    if (this.isDraining) return;
    if (this.claiming) this.wokenMeanwhile = true;
    else this.claims = this.claimAll();
  }

  /** Ends the reviewer of a job that was canceled in the database, at whatever point it is. */
  abort(jobId: number): void {
    const run = this.running.get(jobId);
    if (run) run.controller.abort(canceled);
    else if (this.claiming) this.canceledEarly.add(jobId);
  }

  /** Jobs that take longer than their own time-out allows. */
  stalled(): number[] {
    const nowMs = this.options.clock.monotonicMs();
    return [...this.running].filter(([, { deadlineMs }]) => nowMs > deadlineMs).map(([id]) => id);
  }

  /** Claims no more; resolves when what runs has ended by itself, with false if `resume` called that off meanwhile. */
  async drain(): Promise<boolean> {
    const draining = Symbol("drain");
    this.draining = draining;
    clearTimeout(this.timer);
    await this.claims;
    await this.untilIdle();
    return this.draining === draining;
  }

  /** Goes on claiming: whoever wanted to wait for what runs has changed his mind. */
  resume(): void {
    this.draining = undefined;
    this.wake();
  }

  /** Claims no more if nothing runs; else goes on, and says how many jobs do. */
  async drainIfIdle(): Promise<number> {
    this.asking++;
    clearTimeout(this.timer);
    await this.claims;
    const active = this.running.size;
    if (active === 0) this.draining = Symbol("idle");
    this.asking--;
    this.wake();
    return active;
  }

  /** Stops claiming, ends every reviewer, puts their jobs back into the queue without using up a retry. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.stopped.resolve();
    clearTimeout(this.timer);
    for (const { controller } of this.running.values()) controller.abort(interrupted);
    await this.claims; // a job that was being claimed goes the same way
    await this.untilIdle();
  }

  private async untilIdle(): Promise<void> {
    await Promise.all([...this.running.values()].map((run) => run.done));
  }

  private async claimAll(): Promise<void> {
    this.claiming = true;
    clearTimeout(this.timer);
    let nextPollMs = pollMs;
    try {
      do {
        this.wokenMeanwhile = false;
        while (!this.isDraining && this.idleWorkers.length > 0) {
          const workerId = this.idleWorkers[0] as string;
          const job = await this.options.database((store) => store.jobs.claim(workerId, this.claimOptions()));
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
      this.canceledEarly.clear();
    }
    if (!this.isDraining) this.timer = setTimeout(() => this.wake(), nextPollMs);
  }

  /** One repository leaves a worker to the others. A job that ran again before its last worker was done with it waits for that. */
  private claimOptions() {
    return { perRepo: Math.max(1, this.options.workers - 1), except: [...this.running.keys()] };
  }

  private launch(job: Job, workerId: string): void {
    const controller = new AbortController();
    if (this.stopping) controller.abort(interrupted);
    else if (this.canceledEarly.has(job.id)) controller.abort(canceled);
    const { clock } = this.options;
    const run: Running = {
      controller,
      done: Promise.resolve(),
      deadlineMs: clock.monotonicMs() + preparationMs + stalledGraceMs,
    };
    this.running.set(job.id, run);
    const turn: Turn = {
      workerId,
      signal: controller.signal,
      expectWithin: (ms) => {
        run.deadlineMs = clock.monotonicMs() + ms + stalledGraceMs;
      },
    };
    run.done = this.execute(job, turn).finally(() => {
      this.running.delete(job.id);
      this.idleWorkers.push(workerId);
      this.wake();
    });
  }

  /** Never rejects: an error of ours is the job's failure. */
  private async execute(job: Job, turn: Turn): Promise<void> {
    const outcome = await this.options
      .run(job, turn)
      .catch((error): JobOutcome => ({ kind: "failed", error: messageOf(error), retryable: true }));
    if (outcome.kind === "failed") {
      outcome.error = redactSecrets(outcome.error); // it may quote what a reviewer printed
      if (!turn.signal.aborted) this.options.onError("reviewer", outcome.error, job.id);
    }
    await this.settle(job, turn.workerId, turn.signal.aborted ? { kind: "aborted" } : outcome);
  }

  /** Records how a job ended, however long the database takes no writes: a job that nobody runs must not stay running. */
  private async settle(job: Job, workerId: string, outcome: JobOutcome): Promise<void> {
    for (;;) {
      try {
        const now = this.options.clock.now();
        await this.options.database((store) =>
          store.transaction(() => recordOutcome(store, { job, workerId, outcome, now })),
        );
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
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
