import { basename, dirname, join } from "node:path";
import type { Harness } from "../harness/harness.ts";
import { installSkills } from "../skills/install.ts";
import { skillPrograms } from "../skills/programs.ts";
import { changeLines, keptNotes, problemsOf, type SkillReport } from "../skills/report.ts";
import { skillDirectory } from "../skills/status.ts";
import { givenPath } from "./detect.ts";
import { installAgentHooks } from "./install.ts";
import type { InstallOptions, Outcome, SelectionOptions } from "./options.ts";
import { select } from "./request.ts";

/**
 * Registers the hooks and, unless it is a dry run, writes the bundled skills of the agents that have them now (D34). What
 * fails there is a failure of its own: the hooks stay registered.
 */
export async function installHooksAndSkills(options: InstallOptions): Promise<Outcome> {
  const outcome = await installAgentHooks(options);
  if (options.dryRun) return outcome;
  const failed = new Set(outcome.failures.map(({ displayName }) => displayName));
  for (const harness of select(options))
    if (!failed.has(harness.displayName)) await addSkills(harness, options, outcome);
  return outcome;
}

async function addSkills(harness: Harness, options: SelectionOptions, outcome: Outcome): Promise<void> {
  const directory = skillPlace(harness, options);
  if (directory === undefined) return;
  const report: SkillReport = {
    agent: harness.name,
    name: harness.displayName,
    directory,
    skills: await installSkills(harness, { directory }),
  };
  outcome.lines.push(...changeLines(report));
  outcome.notices.push(...keptNotes(report));
  for (const cause of problemsOf(report))
    outcome.failures.push({ displayName: harness.displayName, path: directory, cause });
}

/** The skills go beside the file that the hooks are registered in: `--config` may name another directory. */
function skillPlace(harness: Harness, { config, env, cwd }: SelectionOptions): string | undefined {
  const given = givenPath(config, env, cwd);
  if (given === undefined) return skillDirectory(harness, env, cwd);
  const program = skillPrograms[harness.name];
  return program && join(above(harness, dirname(given)), program.directory);
}

/** The directory of a harness's configuration, from the one that its hooks file lies in. */
function above(harness: Harness, directory: string): string {
  const below = dirname(harness.config.file);
  return below !== "." && basename(directory) === below ? dirname(directory) : directory;
}
