import type { JobType, ReviewFinding, Severity } from "../../../store/schema.ts";
import { reachesFloor } from "../../verdict/severity.ts";
import type { PromptComment } from "../input.ts";

/** A review whose findings are to be dealt with. */
export interface FixEntry {
  jobId: number;
  kind: JobType;
  gitRef: string;
  subject?: string;
  /** Without the block at its end that repeats the findings for programs. */
  output: string;
  findings: readonly ReviewFinding[];
  comments: readonly PromptComment[];
}

/**
 * The findings that an agent is asked to deal with: not those below the floor, nor those that somebody has dealt with.
 * None where the review has no list of them, which then is one finding as a whole.
 */
export function askedFindings(entry: FixEntry, floor: Severity | undefined): ReviewFinding[] {
  const open = entry.findings.filter(({ disposition }) => disposition === undefined);
  // What a task answered has no severities to go by.
  return entry.kind === "task" ? open : open.filter(({ severity }) => reachesFloor(severity, floor));
}

/** Why nothing of a review is asked for; undefined where something is. */
export function nothingAsked(entry: FixEntry, floor: Severity | undefined): string | undefined {
  if (entry.findings.length === 0 || askedFindings(entry, floor).length > 0) return undefined;
  return entry.findings.every(({ disposition }) => disposition !== undefined)
    ? "every finding is dealt with"
    : `all that is left of it is below ${floor}`;
}

/** Numbers that the answer has to account for. */
export function askedNumbers(entry: FixEntry, floor: Severity | undefined): number[] {
  const asked = askedFindings(entry, floor);
  return asked.length > 0 ? asked.map(({ number }) => number) : [1];
}

/** Everything in it that a stranger may have written. */
export const textsOf = (entry: FixEntry): string[] => [
  entry.output,
  entry.subject ?? "",
  ...entry.findings.flatMap(({ problem, fix = "", location = "", disposition }) => [
    ...[problem, fix, location],
    ...[disposition?.by ?? "", disposition?.message ?? ""],
  ]),
  ...entry.comments.flatMap(({ responder, response }) => [responder, response]),
];
