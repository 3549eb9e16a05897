export interface Checks {
  passed: number;
  failed: number;
  check(what: string, holds: boolean, seen?: unknown): void;
  equal(what: string, seen: unknown, expected: unknown): void;
}

/** Prints one line per check under a scenario's name and counts. */
export function createChecks(): Checks {
  const checks: Checks = {
    passed: 0,
    failed: 0,
    check(what, holds, seen = "") {
      if (holds) checks.passed++;
      else checks.failed++;
      const shown = holds ? "" : `: ${(JSON.stringify(seen) ?? "undefined").slice(0, 1200)}`;
      process.stdout.write(`  ${holds ? "ok  " : "MISS"} ${what}${shown}\n`);
    },
    equal(what, seen, expected) {
      checks.check(what, Bun.deepEquals(seen, expected, true), { seen, expected });
    },
  };
  return checks;
}
