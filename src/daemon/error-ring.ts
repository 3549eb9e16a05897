import type { Clock } from "../lib/clock.ts";
import { errorMessage } from "../lib/errors.ts";

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

  add(component: string, error: unknown, jobId?: number): void {
    this.errors.push({
      ts: this.clock.now().toISOString(),
      component,
      message: errorMessage(error).slice(0, 500),
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
