// The scenarios that every release must prove, by their ids: H git hooks, P commits and requests, S storage, D daemon, A
// reviewer programs, V verdicts and prompts, C commands. An id stands in the name of a test, or in a comment of a transcript.

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, "0")}`);

export const scenarioIds: readonly string[] = [
  ...numbered("H", 14),
  ...numbered("P", 15),
  ...numbered("S", 12),
  ...numbered("D", 13),
  ...numbered("A", 13),
  ...numbered("V", 9),
  ...numbered("C", 15),
  "E2E01",
];

/** Scenarios of what is not built yet. One that a test names belongs here no more. */
export const pendingIds: Readonly<Record<string, string>> = {};

/** Decisions have numbers as well: where a test of the scenario can only be, so that one of the decision does not count. */
export const homes: Readonly<Record<string, string>> = {
  D10: "test/daemon/guard.test.ts",
  D11: "test/daemon/job-end.test.ts",
  D12: "test/daemon/job-end.test.ts",
  D13: "test/daemon/job-end.test.ts",
};
