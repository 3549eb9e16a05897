import { localTime } from "../lib/local-time.ts";
import { safeMultiline, singleLine, truncateUtf8 } from "../lib/text.ts";
import type { Disposition, ReviewFinding } from "../store/schema.ts";
import type { Output } from "./output.ts";

const maxLineBytes = 160;

/** The findings by the numbers that `comment --finding` takes, each with what has become of it. */
export function findingLines(findings: readonly ReviewFinding[] | undefined, out: Output): string[] {
  if (findings === undefined || findings.length === 0) return [];
  return [
    "",
    "--- Findings ---",
    ...findings.flatMap((finding) => [
      lineOf(finding),
      ...(finding.disposition ? dispositionLines(finding.disposition, out) : []),
    ]),
  ];
}

/** `2. high, src/a.ts:3: The index may be negative.` The review itself says the rest. */
function lineOf({ number, severity, location, problem }: ReviewFinding): string {
  const where = location === undefined ? "" : `, ${singleLine(location)}`;
  const first = singleLine(problem.trim().split("\n", 1)[0] ?? "");
  return short(`${number}. ${severity}${where}: ${first}`);
}

function dispositionLines({ state, by, message, at }: Disposition, out: Output): string[] {
  const word = out.paint(state === "fixed" ? "green" : "yellow", state);
  const head = `   ${word} [${singleLine(localTime(at))}] by ${singleLine(by)}`;
  if (message === undefined) return [head];
  return `${head}: ${safeMultiline(message).trimEnd()}`
    .split("\n")
    .map((line, index) => (index === 0 ? line : `   ${line}`.trimEnd()));
}

const short = (line: string): string => {
  const start = truncateUtf8(line, maxLineBytes);
  return start === line ? line : `${start.trimEnd()}…`;
};
