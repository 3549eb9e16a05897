import type { ConfigCache } from "../config/load.ts";
import type { DataPaths } from "../config/paths.ts";
import { resolveCheckout } from "../git/checkout.ts";
import { systemClock } from "../lib/clock.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import type { Scope } from "../reminder/lineage.ts";
import { daemonMark, killMarked } from "../review/agents/marked-processes.ts";
import { killReviewerGroupNow } from "../review/agents/process-identity.ts";
import { Engine } from "../review/engine.ts";
import { Enqueuer } from "../review/enqueue.ts";
import { openJobLog } from "../review/job-log.ts";
import { dayMs, keptLogDays, pruneJobLogs } from "../review/log-retention.ts";
import { recoverJobs } from "../review/recover-jobs.ts";
import { createJobRunner } from "../review/run-job.ts";
import { HookStateFiles } from "../store/hook-state/hook-state.ts";
import { HookLedger } from "../store/hook-state/ledger.ts";
import { openStore } from "../store/open.ts";
import { databaseError, retryBusy } from "../store/retry-busy.ts";
import type { Store } from "../store/store.ts";
import { Activity } from "./activity.ts";
import { CheckoutReviews } from "./agent-hook/checkout-reviews.ts";
import { HookFacts } from "./agent-hook/facts.ts";
import { pruneHookState } from "./agent-hook/prune.ts";
import { queueCommit } from "./agent-hook/queue-commit.ts";
import { HookService } from "./agent-hook/service.ts";
import { skillFact } from "./agent-hook/skill-fact.ts";
import { ConfigWatch } from "./config-watch.ts";
import type { ErrorRing } from "./error-ring.ts";
import { EventHub } from "./events/hub.ts";
import { JobEvents } from "./events/job-events.ts";
import type { DaemonLog } from "./log.ts";
import { MissedCommits } from "./missed-commits.ts";
import { ReviewHooks } from "./review-hooks/review-hooks.ts";
import type { Services } from "./services.ts";

export interface DaemonParts {
  services: Omit<Services, "socket" | "startedAt" | "stop">;
  /** Begins to claim jobs and to pick up missed commits. */
  start(): void;
  /** Ends reviewers and timers; requests are still answered. */
  stopWork(): Promise<void>;
  /** Ends whatever reviewer is on record and every review hook, without waiting for anything; for a process that is ending. */
  killReviewers(): void;
  close(): Promise<void>;
}

interface PartsOptions {
  paths: DataPaths;
  config: ConfigCache;
  workers: number;
  errors: ErrorRing;
  log: DaemonLog;
  /** Settles when PATH is what the user's own shell has. */
  pathReady?: Promise<void>;
}

/** Reviewers have this long to end by themselves when the daemon stops, which takes 5 s at most. */
const reviewerGraceMs = 2_000;

/** Opens everything the daemon works with and mends what a dead predecessor left. Needs the data directory's lock. */
export async function openParts(options: PartsOptions): Promise<DaemonParts> {
  const { paths, config, workers, errors, log, pathReady } = options;
  const onError = (component: string, error: unknown, jobId?: number) => {
    errors.add(component, error, jobId);
    log.error(`${component} error`, {
      error: errorMessage(error),
      ...(jobId === undefined ? {} : { job_id: jobId }),
    });
  };
  const store = await openStore(paths.database, { clock: systemClock });
  const database = <T>(work: (store: Store) => T): Promise<T> =>
    retryBusy(() => work(store)).catch((error) => {
      throw databaseError(error);
    });
  await recoverJobs(store, paths, (error) => onError("workers", error));

  const events = new EventHub((error) => onError("events", error));
  const jobEvents = new JobEvents({
    hub: events,
    clock: systemClock,
    database,
    onError: (error) => onError("events", error),
  });
  const reviewHooks = new ReviewHooks({
    config,
    configPath: paths.config,
    dataDir: paths.dataDir,
    database,
    log,
    onError(error, jobId) {
      // Without the job: a hook that always fails must not push out everything else.
      errors.add("review_hooks", error);
      log.error("review hook error", { error: errorMessage(error), job_id: jobId });
    },
    env: process.env,
  });
  const activity = new Activity(systemClock);
  events.listen(({ event }) => activity.add(event));
  events.listen((published) => reviewHooks.handle(published));
  const services = {
    ...{ paths, config, configPath: paths.config, database, clock: systemClock, env: process.env },
    ...(pathReady === undefined ? {} : { pathReady }),
  };
  const enqueue = new Enqueuer({
    ...services,
    onWarning: (line) => log.warn("configuration", { line }),
    onCanceled(jobId) {
      engine.abort(jobId);
      void jobEvents.canceled(jobId);
    },
    onEnqueued: (job) => jobEvents.enqueued(job),
    onRemapped: (job, oldRef) => jobEvents.remapped(job, oldRef),
    onRemapping: (job) => void jobEvents.remapping(job),
    onClosed: (jobId) => void jobEvents.closed(jobId, true),
  });
  const engine = new Engine({
    workers,
    daemonId: `${process.pid}-${crypto.randomUUID().slice(0, 8)}`,
    clock: systemClock,
    database,
    run: createJobRunner({
      ...services,
      openLog: (job) =>
        openJobLog(paths.jobLogs, job.id, {
          onError: (error) => log.warn("review", { line: `log of job ${job.id}: ${errorMessage(error)}` }),
        }),
      onWarning: (line) => log.warn("review", { line }),
      onStarted: (job) => jobEvents.started(job),
    }),
    onError,
    onEnded: (jobId, workerId) => jobEvents.ended(jobId, workerId),
  });
  const commits = { enqueue, onQueued: () => engine.wake() };
  const reviews = new CheckoutReviews(database);
  const hooks = await openHooks({ paths, config, database, commits, reviews, onError });
  const missed = new MissedCommits(paths.missedCommits, systemClock, enqueue, () => engine.wake(), onError);
  const configWatch = new ConfigWatch({
    path: paths.config,
    config,
    clock: systemClock,
    onReloaded(reloaded) {
      log.info("configuration reloaded", { count: reloaded.count, keys: reloaded.keys.join(" ") });
      events.publish({ type: "config.reloaded", ts: reloaded.at.toISOString() });
    },
    onBroken: (problem) => onError("config", problem),
    onError: (error) => onError("config", error),
  });
  await configWatch.start();
  const pruneLogs = () =>
    pruneJobLogs(paths.jobLogs, new Date(systemClock.now().getTime() - keptLogDays * dayMs)).catch((error) =>
      onError("workers", error),
    );
  let daily: ReturnType<typeof setInterval> | undefined;
  let isOpen = true;
  const killReviewers = () => {
    reviewHooks.kill();
    if (!isOpen) return; // closed after all of them had ended
    try {
      const recorded = store.jobs.orphanProcesses();
      recorded.forEach(killReviewerGroupNow);
      if (recorded.length > 0) killMarked(daemonMark(paths.dataDir));
    } catch (error) {
      onError("workers", error); // the next start ends them
    }
  };

  return {
    services: {
      clock: systemClock,
      paths,
      store,
      database,
      config,
      configWatch,
      engine,
      enqueue,
      missed,
      hooks: hooks.get,
      checkoutReviews: reviews,
      activity,
      errors,
      events,
      jobEvents,
    },
    start() {
      engine.start();
      missed.start();
      void pruneLogs();
      daily = setInterval(() => {
        void hooks.prune().catch((error) => onError("agent_hook", error));
        void pruneLogs();
      }, dayMs);
    },
    async stopWork() {
      clearInterval(daily);
      missed.stop();
      const hooksEnded = reviewHooks.stop();
      await Promise.race([engine.stop(), Bun.sleep(reviewerGraceMs)]);
      // Whoever still runs ignores the polite signal; the job is queued again either way.
      killReviewers();
      await engine.stop();
      events.close();
      await hooksEnded;
    },
    killReviewers,
    async close() {
      configWatch.stop();
      await hooks.close();
      isOpen = false;
      store.close();
    },
  };
}

/** The reminder feature, or the reason why it is unavailable until the next start. */
async function openHooks(given: {
  paths: DataPaths;
  config: ConfigCache;
  database: <T>(work: (store: Store) => T) => Promise<T>;
  commits: { enqueue: Enqueuer; onQueued(): void };
  reviews: CheckoutReviews;
  onError(component: string, error: unknown): void;
}) {
  const { paths, config, database, commits, reviews, onError } = given;
  try {
    const { files, state, damage } = await HookStateFiles.open(paths);
    if (damage !== undefined) onError("agent_hook", damage);
    const ledger = new HookLedger(files, state, systemClock, (error) => onError("agent_hook", error));
    const facts = new HookFacts({
      ...{ database, resolveCheckout, reviews, onError },
      now: () => systemClock.now(),
    });
    const services = {
      clock: systemClock,
      newId: () => crypto.randomUUID(),
      config,
      configPath: paths.config,
      facts,
      skill: skillFact,
      queueCommit: (scope: Scope) =>
        void queueCommit(scope, { resolveCheckout, enqueue: commits.enqueue })
          .then((queued) => (queued ? commits.onQueued() : undefined))
          .catch((error) => onError("agent_hook", error)),
    };
    const service = new HookService(ledger, services);
    const prune = () => pruneHookState(ledger, database, systemClock);
    await prune().catch((error) => onError("agent_hook", error));
    return { get: () => service, prune, close: () => ledger.close() };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    onError("agent_hook", error);
    const unavailable = new RoborevError(error.message, {
      code: "E_HOOK_STATE",
      ...(error.hint ? { hint: error.hint } : {}),
    });
    return {
      get: (): HookService => {
        throw unavailable;
      },
      prune: async () => {},
      close: async () => {},
    };
  }
}
