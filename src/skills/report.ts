import { plural, singleLine } from "../lib/text.ts";
import type { SkillChange, SkillResult } from "./install.ts";

/** What was done to the skills of one program, in the shape that `--json` prints. */
export interface SkillReport {
  agent: string;
  /** Of the program, for people. */
  name: string;
  directory: string;
  skills: SkillChange[];
}

const named = ({ skills }: SkillReport, result: SkillResult) =>
  skills.filter((skill) => skill.result === result).map(({ name }) => name);

/** What changed, one line for each kind of change; none where nothing did. */
export function changeLines(report: SkillReport): string[] {
  const directory = singleLine(report.directory);
  const installed = named(report, "installed");
  const updated = named(report, "updated");
  const removed = named(report, "removed");
  const some = (names: string[]) => (names.length < report.skills.length ? `: ${names.join(", ")}` : "");
  return [
    ...(installed.length === 0
      ? []
      : [
          `installed ${plural(installed.length, "skill")} for ${report.name} in ${directory}${some(installed)}`,
        ]),
    ...(updated.length === 0
      ? []
      : [`updated ${plural(updated.length, "skill")} for ${report.name} in ${directory}${some(updated)}`]),
    ...(removed.length === 0 ? [] : [`removed ${removed.join(", ")} for ${report.name} from ${directory}`]),
  ];
}

/** What was left alone, and how it is replaced all the same. */
export function keptNotes(report: SkillReport): string[] {
  const kept = named(report, "kept").map((name) => singleLine(name));
  if (kept.length === 0) return [];
  const why = kept.length === 1 ? "it was edited" : "they were edited";
  return [`Kept for ${report.name}, because ${why}: ${kept.join(", ")} in ${singleLine(report.directory)}`];
}

/** What failed, each with its reason; where all of them did, the first speaks for all. */
export function problemsOf({ skills }: SkillReport): string[] {
  const problems = skills.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  return problems.length === skills.length ? problems.slice(0, 1) : problems;
}
