import type { Clock } from "../lib/clock.ts";
import { errorMessage } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";

export interface RecentError {
  ts: string;
  component: string;
  message: string;
  job_id?: number;
}

/** The last errors of this daemon, for `status`. */
export class ErrorRing {
  private readonly errors: RecentError[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly size = 20,
  ) {}

  /** The same error once more only becomes the newest: one that every hook meets must not push out the others. */
  add(component: string, error: unknown, jobId?: number): void {
    const message = redactSecrets(errorMessage(error)).slice(0, 500);
    const known = this.errors.findIndex(
      (other) => other.component === component && other.message === message && other.job_id === jobId,
    );
    if (known >= 0) this.errors.splice(known, 1);
    this.errors.push({
      ts: this.clock.now().toISOString(),
      component,
      message,
      ...(jobId === undefined ? {} : { job_id: jobId }),
    });
    if (this.errors.length > this.size) this.errors.shift();
  }

  /** Newest first, of the last 24 hours. */
  recent(): RecentError[] {
    const oldest = this.clock.now().getTime() - 24 * 3_600_000;
    return this.errors.filter((error) => Date.parse(error.ts) >= oldest).reverse();
  }
}
