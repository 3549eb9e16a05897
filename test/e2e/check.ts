export interface Checks {
  passed: number;
  failed: number;
  check(what: string, holds: boolean, seen?: unknown): void;
  equal(what: string, seen: unknown, expected: unknown): void;
}

/** Prints one line per check and counts. */
export function createChecks(print: (line: string) => void): Checks {
  const checks: Checks = {
    passed: 0,
    failed: 0,
    check(what, holds, seen = "") {
      if (holds) checks.passed++;
      else checks.failed++;
      const shown = holds ? "" : `: ${(JSON.stringify(seen) ?? "undefined").slice(0, 2000)}`;
      print(`  ${holds ? "ok  " : "MISS"} ${what}${shown}`);
    },
    equal(what, seen, expected) {
      checks.check(what, Bun.deepEquals(seen, expected, true), { seen, expected });
    },
  };
  return checks;
}
