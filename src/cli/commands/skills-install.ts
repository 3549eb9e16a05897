import { installSkills } from "../../skills/install.ts";
import { keptNotes, problemsOf, type SkillReport } from "../../skills/report.ts";
import { type Context, define } from "../command.ts";
import { agentsHere, type SkillAgent, skillFlags } from "../skill-agents.ts";
import { calls, reportLines } from "../skills-text.ts";

export const skillsInstall = define({
  meta: {
    name: "install",
    description: "Write the skills of roborev for the coding agents that are used on this machine.",
  },
  args: {
    ...skillFlags,
    force: { type: "boolean", description: "Replace skills that were edited as well" },
  },
  requires: [{ names: ["path", "agent"] }],
  details: `Skills are instructions that a coding agent follows when you call one by name, such as /roborev-review. A second run
    brings them up to date. One that you edited is kept.`,
  examples: [
    "roborev skills install",
    "roborev skills install --agent codex",
    "roborev skills install --agent claude --path .claude/skills",
  ],
  async run(context) {
    const { args, out } = context;
    const agents = await agentsHere(context, args);
    const reports = await changeSkills(context, agents, { force: args.force });
    const changed = reports.filter(({ skills }) =>
      skills.some(({ result }) => result === "installed" || result === "updated"),
    );
    if (changed.length > 0 && !context.flags.json)
      out.note(
        `Call one in a session: ${calls(changed)}. Sessions that are open may have to be started again.`,
      );
    return statusOf(reports);
  },
});

/** Installs or updates, and reports it. */
export async function changeSkills(
  { flags, out }: Pick<Context, "flags" | "out">,
  agents: readonly SkillAgent[],
  options: { force?: boolean; onlyPresent?: boolean },
): Promise<SkillReport[]> {
  const reports: SkillReport[] = [];
  for (const { harness, directory } of agents) {
    const skills = await installSkills(harness, { directory, ...options });
    reports.push({ agent: harness.name, name: harness.displayName, directory, skills });
  }
  if (flags.json) out.json({ agents: reports });
  else for (const line of reports.flatMap(reportLines)) out.print(line);
  const kept = reports.flatMap(keptNotes);
  for (const note of flags.json ? [] : kept) out.note(note);
  if (kept.length > 0 && !flags.json) out.note("Replace them with: roborev skills install --force");
  for (const problem of reports.flatMap(problemsOf)) out.note(`Error: ${problem}`);
  return reports;
}

export const statusOf = (reports: readonly SkillReport[]): 0 | 1 =>
  reports.some((report) => problemsOf(report).length > 0) ? 1 : 0;
