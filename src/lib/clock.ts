/** Time comes in from outside: wall clock for what is shown or stored, monotonic for budgets. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
