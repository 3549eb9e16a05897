import { type Clock, systemClock } from "../lib/clock.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";

export interface RetryBusyOptions {
  /** Default 5 s. */
  timeoutMs?: number;
  clock?: Clock;
}

/** Whether another connection holds the database: SQLITE_BUSY and its extended codes. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error) ?? "");
}

/** What SQLite could not do with an open database, in words; every other error as it is. */
export function databaseError(cause: unknown): unknown {
  const code = errorCode(cause) ?? "";
  if (!code.startsWith("SQLITE_") || cause instanceof RoborevError) return cause;
  return code === "SQLITE_FULL"
    ? new RoborevError("the disk is full, the review database cannot be written", {
        code: "E_DATABASE",
        hint: "Make room and try again.",
        cause,
      })
    : new RoborevError(`the review database failed: ${errorMessage(cause)}`, { code: "E_DATABASE", cause });
}

/**
 * Repeats a call to the store while another program holds the database, then throws `E_BUSY`. The wait is
 * asynchronous because SQLite's own busy wait would stop every other request of the daemon: each try
 * blocks for at most `busy_timeout` (50 ms).
 */
export async function retryBusy<T>(work: () => T, options: RetryBusyOptions = {}): Promise<T> {
  const clock = options.clock ?? systemClock;
  const deadline = clock.monotonicMs() + (options.timeoutMs ?? 5000);
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    try {
      return work();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      if (clock.monotonicMs() + waitMs > deadline) {
        throw new RoborevError("the review database is held by another program", {
          code: "E_BUSY",
          hint: "Try again in a moment; if it persists, find the program that has reviews.db open.",
          cause,
        });
      }
    }
    await Bun.sleep(waitMs);
  }
}
