import type { Harness } from "../../harness/harness.ts";
import { RoborevError } from "../../lib/errors.ts";
import type { SkillFact } from "../../reminder/facts.ts";
import type { SkillCall } from "../../reminder/instruction.ts";
import { fixSkill } from "../../skills/catalogue.ts";
import { skillPrograms } from "../../skills/programs.ts";
import { placedFiles, skillDirectory, stateOf } from "../../skills/status.ts";

/**
 * Whether a harness has the skill that a reminder names. Asked only for an event that is about to tell something, so that
 * nothing is read for the others, and nothing has to be remembered. `moved`: what the variable that moves the harness's
 * configuration says in the session, whose environment need not be that of the daemon.
 */
export async function skillFact(
  harness: Harness,
  moved: string | undefined,
  env: Record<string, string | undefined> = process.env,
): Promise<SkillFact> {
  const { directoryVariable: variable } = harness.config;
  const session = variable === undefined || moved === undefined ? env : { ...env, [variable]: moved };
  const directory = skillDirectory(harness, session, "/");
  if (directory === undefined) return "unknown";
  try {
    const state = stateOf(await placedFiles(harness, directory, fixSkill));
    return state === "installed" || state === "edited" ? "present" : state;
  } catch (error) {
    if (error instanceof RoborevError) return "unknown"; // `roborev skills status` says what is wrong with it
    throw error;
  }
}

/** How the texts of a reminder name the skill; undefined for a harness without a folder for skills. */
export function skillCall({ name, displayName }: Harness): SkillCall | undefined {
  const program = skillPrograms[name];
  return program && { call: `${program.sigil}${fixSkill.name}`, agent: name, displayName };
}
