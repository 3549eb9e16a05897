import { RoborevError } from "../lib/errors.ts";

/** One span of time for several steps, so that their limits do not add up. */
export interface Budget {
  leftMs(): number;
  /** The result of `work`, or a rejection when the time is over first; the work itself must have a limit of its own. */
  within<T>(what: string, work: Promise<T>): Promise<T>;
}

export function createBudget(totalMs: number, nowMs: () => number = () => performance.now()): Budget {
  const deadline = nowMs() + totalMs;
  const leftMs = () => Math.max(0, deadline - nowMs());
  return {
    leftMs,
    async within(what, work) {
      const { promise, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => reject(new RoborevError(`no time left: ${what}`, { code: "E_BUDGET" })),
        leftMs(),
      );
      try {
        return await Promise.race([work, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
