import { singleLine } from "../../lib/text.ts";
import { installSkills } from "../../skills/install.ts";
import { problemsOf, type SkillReport } from "../../skills/report.ts";
import { define } from "../command.ts";
import { type RefreshedHooks, refreshHooks } from "../refresh-hooks.ts";
import { namedAgents } from "../skill-agents.ts";

export const refresh = define({
  meta: {
    name: "refresh",
    description: "Bring git hooks and skills that are installed up to date with this program.",
  },
  args: {},
  details: "An update calls this on the new program. It installs nothing anew and starts nothing.",
  examples: ["roborev refresh"],
  async run(context) {
    const { flags, out } = context;
    const hooks = await refreshHooks(context);
    const skills: SkillReport[] = [];
    for (const { harness, directory } of namedAgents(context, { agent: undefined, path: undefined })) {
      const changes = await installSkills(harness, { directory, onlyPresent: true });
      skills.push({ agent: harness.name, name: harness.displayName, directory, skills: changes });
    }
    if (flags.json) out.json({ hooks: hooks ?? null, skills });
    else out.print(`${hooksLine(hooks)}\n${skillsLine(skills)}`);
    const problems = [...problemsWith(hooks ?? []), ...skills.flatMap(problemsOf)];
    for (const problem of problems) out.note(`Error: ${singleLine(problem)}`);
    return problems.length > 0 ? 1 : 0;
  },
});

const problemsWith = (hooks: readonly RefreshedHooks[]) =>
  hooks.flatMap(({ repo, problem }) => (problem === undefined ? [] : [`${repo}: ${problem}`]));

function hooksLine(hooks: readonly RefreshedHooks[] | undefined): string {
  if (hooks === undefined)
    return "Git hooks  not looked at, because no daemon runs: roborev init renews those of a repository";
  return `Git hooks  ${counted(
    hooks.map(({ result }) => result),
    { refreshed: "refreshed", current: "up to date", left: "left alone outside of .git", failed: "failed" },
    "no repository has any",
  )}`;
}

function skillsLine(reports: readonly SkillReport[]): string {
  const results = reports.flatMap(({ skills }) => skills.map(({ result }) => result));
  const words = { updated: "updated", current: "up to date", kept: "kept as edited", removed: "removed" };
  return `Skills     ${counted(results, { ...words, failed: "failed" }, "none are installed")}`;
}

/** `2 refreshed, 1 up to date`, in the order of `words`; results without a word do not count. */
function counted(results: readonly string[], words: Record<string, string>, none: string): string {
  const parts = Object.entries(words).flatMap(([result, word]) => {
    const count = results.filter((one) => one === result).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return parts.join(", ") || none;
}
