import type { Clock } from "../lib/clock.ts";
import { errorMessage } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";
import type { RecentError } from "./api/health.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The last errors of this daemon, for `status`. */
export class ErrorRing {
  private readonly errors: RecentError[] = [];
  /** How many there were in each minute of the last day that had any, oldest first. */
  private readonly perMinute = new Map<number, number>();

  constructor(
    private readonly clock: Clock,
    private readonly size = 20,
  ) {}

  /** The same error once more only becomes the newest: one that every hook meets must not push out the others. */
  add(component: string, error: unknown, jobId?: number): void {
    this.countOne();
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
    const oldest = this.clock.now().getTime() - dayMs;
    return this.errors.filter((error) => Date.parse(error.ts) >= oldest).reverse();
  }

  /** All of the last 24 hours, to the minute, those that are not kept any more and repeated ones too. */
  count(): number {
    this.forgetOldMinutes();
    return [...this.perMinute.values()].reduce((sum, count) => sum + count, 0);
  }

  private countOne(): void {
    const minute = Math.floor(this.clock.now().getTime() / minuteMs);
    this.perMinute.set(minute, (this.perMinute.get(minute) ?? 0) + 1);
    this.forgetOldMinutes();
  }

  private forgetOldMinutes(): void {
    const oldest = Math.floor((this.clock.now().getTime() - dayMs) / minuteMs);
    for (const minute of this.perMinute.keys()) if (minute < oldest) this.perMinute.delete(minute);
  }
}
