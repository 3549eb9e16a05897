import { RoborevError } from "../lib/errors.ts";
import type { Job, JobStatus } from "../store/schema.ts";
import type { DaemonClient } from "./daemon.ts";
import { DaemonError } from "./transport.ts";

const finished: readonly JobStatus[] = ["done", "failed", "canceled", "applied", "rebased", "skipped"];
const pending: readonly JobStatus[] = ["queued", "running"];

export interface WaitOptions {
  signal: AbortSignal;
  /** First pause; each further one is half as long again. Default 100 ms. */
  firstPauseMs?: number;
  /** Default 5 s. */
  maxPauseMs?: number;
}

/** Answers in a row that may be missing (a daemon that restarts) or of an unknown status (a newer one). */
const maxOddAnswers = 10;

/** Asks until the job has finished. Rejects when the job is unknown, and with the signal's reason when that aborts. */
export async function waitForJob(
  client: Pick<DaemonClient, "jobs">,
  jobId: number,
  options: WaitOptions,
): Promise<Job> {
  let pauseMs = options.firstPauseMs ?? 100;
  let odd = 0;
  for (;;) {
    options.signal.throwIfAborted();
    const job = await lookUp(client, jobId);
    if (job && finished.includes(job.status)) return job;
    odd = job && pending.includes(job.status) ? 0 : odd + 1;
    if (odd >= maxOddAnswers) {
      throw new RoborevError(
        job
          ? `job ${jobId} has the unknown status ${job.status}`
          : `the daemon stopped answering about job ${jobId}`,
        { code: "E_WAIT", hint: "See: roborev status" },
      );
    }
    await pause(pauseMs, options.signal);
    pauseMs = Math.min(options.maxPauseMs ?? 5000, pauseMs * 1.5);
  }
}

/** The job; undefined when the daemon could not be asked just now. */
async function lookUp(client: Pick<DaemonClient, "jobs">, jobId: number): Promise<Job | undefined> {
  try {
    const { jobs } = await client.jobs({ id: jobId });
    if (jobs[0] === undefined) throw new RoborevError(`there is no job ${jobId}`, { code: "E_NO_JOB" });
    return jobs[0];
  } catch (error) {
    if (error instanceof DaemonError && error.failure !== "denied") return undefined;
    throw error;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", onAbort);
    resolve();
  }, ms);
  signal.addEventListener("abort", onAbort, { once: true });
  await promise;
}
