import { plural, singleLine } from "../lib/text.ts";
import { skillPrograms } from "../skills/programs.ts";
import { changeLines, type SkillReport } from "../skills/report.ts";
import type { ProgramStatus, SkillState, SkillStatus } from "../skills/status.ts";
import { stateOrder, worstState } from "../skills/summary.ts";
import type { Output } from "./output.ts";
import { tableLines } from "./table.ts";

const words: Record<SkillState, string> = {
  installed: "installed",
  outdated: "outdated",
  edited: "edited",
  missing: "not installed",
  refused: "not usable",
  no_agent: "no agent",
};

/** The screen of `roborev skills status`. */
export function skillsText(programs: readonly ProgramStatus[], out: Output): string {
  const rows = programs.map((program) => [program.name, summary(program), program.directory]);
  const colours = { missing: "yellow", outdated: "yellow", refused: "red", installed: "green" } as const;
  const paint = (text: string, column: number, row: number) => {
    const program = programs[row];
    const colour = program && colours[worstState(program) as keyof typeof colours];
    return column === 1 && colour !== undefined ? out.paint(colour, text) : text;
  };
  const problems = programs.flatMap(({ skills }) =>
    skills.flatMap(({ problem }) => (problem === undefined ? [] : [singleLine(problem)])),
  );
  return [
    ...tableLines(["Agent", "Skills", "Directory"], rows, paint),
    ...(problems.length === 0 ? [] : ["", ...problems]),
    "",
    ...adviceLines(programs),
  ].join("\n");
}

/** One word where all are alike; else each state with the skills that are in it, the most urgent first. */
function summary({ skills }: ProgramStatus): string {
  const groups = stateOrder
    .map((state) => ({ state, of: skills.filter((skill) => skill.state === state) }))
    .filter(({ of }) => of.length > 0);
  if (groups.length === 1) return words[groups[0]?.state ?? "no_agent"];
  return groups.map(({ state, of }) => `${words[state]}: ${names(of, skills)}`).join("; ");
}

/** Of many the number is enough. */
const names = (of: readonly SkillStatus[], all: readonly SkillStatus[]): string =>
  of.length > all.length / 2 ? `${of.length}` : of.map(({ name }) => name).join(", ");

/** What to run next, or how a skill is called. */
function adviceLines(programs: readonly ProgramStatus[]): string[] {
  const states = new Set(programs.flatMap(({ skills }) => skills.map(({ state }) => state)));
  const lines = [
    ...(states.has("missing") ? ["Install what is missing with: roborev skills install"] : []),
    ...(states.has("outdated") ? ["Update what is outdated with: roborev skills update"] : []),
    ...(states.has("edited") ? ["Replace what was edited with: roborev skills install --force"] : []),
  ];
  if (lines.length > 0) return lines;
  if (!states.has("installed")) return ["No coding agent has its configuration here."];
  return [`In a session of a coding agent: ${calls(programs.filter(isInstalled))}`];
}

const isInstalled = ({ skills }: ProgramStatus) => skills.some(({ state }) => state === "installed");

/** How a skill is called in these programs: `/roborev-review (Codex: $roborev-review)`. */
export function calls(programs: readonly { agent: string; name: string }[]): string {
  const slashed = programs.filter(({ agent }) => skillPrograms[agent]?.sigil === "/");
  const others = programs.filter((program) => !slashed.includes(program));
  const call = (agent: string) => `${skillPrograms[agent]?.sigil ?? "/"}roborev-review`;
  const usual = slashed[0] ?? others[0];
  const different = slashed.length === 0 ? [] : others;
  return [
    usual === undefined ? "" : call(usual.agent),
    ...different.map(({ agent, name }) => `(${name}: ${call(agent)})`),
  ].join(" ");
}

/** What `install` and `update` did for one agent. */
export function reportLines(report: SkillReport): string[] {
  const changes = changeLines(report);
  const current = report.skills.filter(({ result }) => result === "current").length;
  if (changes.length > 0 || current === 0) return changes;
  return [
    `${plural(current, "skill")} for ${report.name} already up to date in ${singleLine(report.directory)}`,
  ];
}
