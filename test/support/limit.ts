import { expect } from "bun:test";
import { binary } from "./binary.ts";

/** What the start of the program takes on an idle machine that is not a fast one. */
const idleStartMs = 60;

/**
 * Expects that something took less than `limitMs`, on a machine that has nothing else to do. Where it took longer, what
 * the start of the program takes at this moment says how much slower the machine is, and the limit is that much wider.
 */
export function expectWithin(tookMs: number, limitMs: number): void {
  expect(tookMs).toBeLessThan(tookMs < limitMs ? limitMs : limitMs * slowness());
}

function slowness(): number {
  const startMs = () => {
    const sinceMs = performance.now();
    Bun.spawnSync([binary, "--version"]);
    return performance.now() - sinceMs;
  };
  const [, median = idleStartMs] = [startMs(), startMs(), startMs()].sort((a, b) => a - b);
  return Math.max(1, median / idleStartMs);
}
