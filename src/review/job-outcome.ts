import type { Job } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Another reviewer, by its canonical name. Its model is one that was configured for it; absent: its own default. */
export interface Backup {
  agent: string;
  model?: string;
}

/** How a job ended, for the store. */
export type JobOutcome =
  | { kind: "completed" }
  | { kind: "skipped"; reason: string }
  /** `backup`: whoever takes over when no retry is left, because this reviewer cannot do it. */
  | { kind: "failed"; error: string; retryable: boolean; backup?: Backup }
  /** The job was canceled, or the daemon is stopping: nothing is recorded as its result. */
  | { kind: "aborted" };

/** Waits before the first, second and third retry. */
const retryDelaysMs = [2_000, 10_000, 30_000];

/** Records an outcome. What is no longer this worker's job stays as it is. */
export function recordOutcome(
  store: Store,
  { job, workerId, outcome, now }: { job: Job; workerId: string; outcome: JobOutcome; now: Date },
): void {
  const { jobs } = store;
  switch (outcome.kind) {
    case "completed":
      break;
    case "skipped":
      jobs.skip(job.id, workerId, outcome.reason);
      break;
    case "aborted":
      jobs.release(job.id, workerId);
      break;
    case "failed": {
      const { error, retryable, backup } = outcome;
      const delayMs = retryable ? retryDelaysMs[job.retry_count] : undefined;
      if (delayMs !== undefined) jobs.retry(job.id, workerId, error, new Date(now.getTime() + delayMs));
      else if (!backup || !jobs.failOver(job.id, workerId, backup, error)) jobs.fail(job.id, workerId, error);
    }
  }
  jobs.letGo(job.id, workerId);
}
