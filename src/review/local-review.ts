import { createConfigCache } from "../config/load.ts";
import type { DataPaths } from "../config/paths.ts";
import type { EnqueueRequest } from "../daemon/api/requests.ts";
import { systemClock } from "../lib/clock.ts";
import { errorMessage } from "../lib/errors.ts";
import type { Job, Review } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { Engine } from "./engine.ts";
import { Enqueuer } from "./enqueue.ts";
import { openPrivateRun } from "./private-run.ts";
import { createJobRunner } from "./run-job.ts";
import type { RunServices } from "./run-services.ts";

export interface LocalReviewOptions extends Pick<RunServices, "env" | "openLog" | "onWarning" | "onStarted"> {
  /** Of the user. */
  paths: DataPaths;
  request: EnqueueRequest;
  /** Ends the reviewer and all that it started. */
  signal: AbortSignal;
  /** It failed, and is tried again, by another reviewer where one was configured to take over. */
  onRetry(job: Job): void;
}

/** How it ended: with a review where the job is done. */
export type LocalReview = { skipped: true; reason: string } | { job: Job; review?: Review };

/**
 * A review as the daemon makes it, in this process: the daemon's own queue, workers and runner work on a database that
 * is made for it and removed again, so whatever needs to remember (earlier reviews, reviewers that rest) finds nothing.
 * Rejects when aborted, once nothing of it is left.
 */
export async function reviewLocally(options: LocalReviewOptions): Promise<LocalReview> {
  const { paths, env, request, signal, onWarning } = options;
  const onError = (error: unknown) => onWarning(errorMessage(error));
  await using run = await openPrivateRun(paths.dataDir, { clock: systemClock, onError });
  signal.throwIfAborted();
  const { store } = run;
  const services = {
    ...{ clock: systemClock, config: createConfigCache(), configPath: paths.config, env, onWarning },
    database: async <T>(work: (store: Store) => T): Promise<T> => work(store),
  };
  const nothing = () => {};
  const enqueuer = new Enqueuer({
    ...services,
    ...{
      onCanceled: nothing,
      onEnqueued: nothing,
      onRemapping: nothing,
      onRemapped: nothing,
      onClosed: nothing,
    },
  });
  const queued = await enqueuer.enqueue(request);
  if ("skipped" in queued) return queued;
  const ended = Promise.withResolvers<Job>();
  const engine = new Engine({
    workers: 1,
    daemonId: "local",
    ...services,
    run: createJobRunner({ ...options, ...services, paths: run.paths }),
    // How the job itself fails is on record in it.
    onError: (component, error) => (component === "reviewer" ? undefined : onError(error)),
    async onEnded(jobId) {
      const job = store.jobs.get(jobId);
      if (job && job.status !== "queued") ended.resolve(job);
      else if (job && !signal.aborted) options.onRetry(job);
    },
  });
  const onAbort = () => ended.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    engine.start();
    const job = await ended.promise;
    const review = store.reviews.byJob(job.id);
    return { job, ...(review === undefined ? {} : { review }) };
  } finally {
    signal.removeEventListener("abort", onAbort);
    await engine.stop();
  }
}
