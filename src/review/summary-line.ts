import { singleLine, truncateUtf8 } from "../lib/text.ts";
import type { ReviewFinding } from "../store/schema.ts";
import { moreSevere } from "./verdict/severity.ts";

const maxBytes = 160;

/**
 * A review on one line: the most severe finding that nobody has dealt with, and how many more there are; without a list
 * of findings its first sentence.
 */
export function summaryLine(findings: readonly ReviewFinding[] | undefined, output: string): string {
  const open = findings?.filter(({ disposition }) => disposition === undefined) ?? [];
  if (findings !== undefined && findings.length > open.length && open.length === 0)
    return "every finding is dealt with";
  const first = open.reduce<ReviewFinding | undefined>(
    (worst, finding) =>
      worst === undefined || moreSevere(worst.severity, finding.severity) !== worst.severity
        ? finding
        : worst,
    undefined,
  );
  if (first === undefined) return shortened(firstSentence(output));
  const place = first.location === undefined ? "" : ` (${singleLine(first.location)})`;
  const more = open.length - 1;
  return `${first.severity}: ${shortened(first.problem)}${place}${more > 0 ? `, and ${more} more` : ""}`;
}

/** The first line that is prose. */
function firstSentence(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^[\s#>*-]+/, ""));
  return lines.find((line) => /\p{L}/u.test(line)) ?? "";
}

function shortened(text: string): string {
  const line = singleLine(text);
  const cut = truncateUtf8(line, maxBytes);
  return cut === line ? line : `${cut.trimEnd()}…`;
}
