import { plural, singleLine } from "../../lib/text.ts";
import type { Output } from "../output.ts";
import type { Check, Finding, Severity } from "./finding.ts";

/** The screen of `roborev doctor`: a line for each thing that was looked at, then the problems, numbered. */
export function doctorScreen(checks: readonly Check[], out: Pick<Output, "paint">): string {
  const problems = problemsOf(checks);
  const notes = checks.flatMap(({ findings }) => findings.filter(({ severity }) => severity === "note"));
  const fixable = problems.flatMap(({ finding, number }) => (finding.mend === undefined ? [] : [number]));
  return [
    ...checks.map((check) => checkLine(check, problems, out)),
    "",
    verdict(problems, out),
    ...problems.flatMap(({ finding, number }) => problemLines(finding, number, out)),
    ...(notes.length === 0 ? [] : ["", "Notes:", ...notes.flatMap(noteLines)]),
    ...(fixable.length === 0 ? [] : ["", `roborev doctor --fix mends ${whatOf(fixable, problems)}.`]),
  ].join("\n");
}

function whatOf(fixable: readonly number[], problems: readonly Problem[]): string {
  if (fixable.length < problems.length) return listed(fixable);
  return fixable.length === 1 ? "it" : "all of it";
}

interface Problem {
  check: Check;
  finding: Finding;
  number: number;
}

/** Errors first, each in the order of the checks. */
function problemsOf(checks: readonly Check[]): Problem[] {
  const of = (severity: Severity) =>
    checks.flatMap((check) =>
      check.findings
        .filter((finding) => finding.severity === severity)
        .map((finding) => ({ check, finding })),
    );
  return [...of("error"), ...of("warning")].map((problem, index) => ({ ...problem, number: index + 1 }));
}

function checkLine(check: Check, problems: readonly Problem[], out: Pick<Output, "paint">): string {
  const own = problems.filter((problem) => problem.check === check);
  const isError = own.some(({ finding }) => finding.severity === "error");
  const mark =
    own.length === 0 ? out.paint("green", "+") : isError ? out.paint("red", "x") : out.paint("yellow", "!");
  const see = own.length === 0 ? "" : ` (see ${listed(own.map(({ number }) => number))})`;
  return `${mark} ${check.title.padEnd(14)}  ${singleLine(check.summary)}${see}`;
}

function verdict(problems: readonly Problem[], out: Pick<Output, "paint">): string {
  const errors = problems.filter(({ finding }) => finding.severity === "error").length;
  if (problems.length === 0) return out.paint("green", "All well.");
  if (errors === 0) return out.paint("yellow", `${plural(problems.length, "warning")}:`);
  const warnings = problems.length - errors;
  return out.paint(
    "red",
    `${plural(errors, "error")}${warnings > 0 ? ` and ${plural(warnings, "warning")}` : ""}:`,
  );
}

function problemLines(
  { severity, message, repair }: Finding,
  number: number,
  out: Pick<Output, "paint">,
): string[] {
  const label = severity === "error" ? out.paint("red", "error") : out.paint("yellow", "warning");
  return [`${`${number}. `.padStart(5)}${label}: ${sentence(message)}`, ...repairLines(repair, "     ")];
}

/** One finding without its number. */
export const noteLines = ({ message, repair }: Pick<Finding, "message" | "repair">): string[] => [
  `  - ${sentence(message)}`,
  ...repairLines(repair, "    "),
];

const repairLines = (repair: string | undefined, indent: string): string[] =>
  repair === undefined ? [] : repair.split("\n").map((line) => `${indent}${cleanLine(line)}`);

/** Leading blanks of a snippet are its own. */
const cleanLine = (line: string): string => `${/^ */.exec(line)?.[0] ?? ""}${singleLine(line)}`;

const sentence = (text: string): string => {
  const line = singleLine(text);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? "" : "."}`;
};

function listed(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  return numbers.length < 2 ? String(last ?? "") : `${numbers.slice(0, -1).join(", ")} and ${last}`;
}
