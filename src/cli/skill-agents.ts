import type { Harness } from "../harness/harness.ts";
import { findHarness, harnesses } from "../harness/registry.ts";
import { explicitAgent, givenPath } from "../install/detect.ts";
import { configDirectory } from "../lib/config-directory.ts";
import { RoborevError, UsageError } from "../lib/errors.ts";
import { skillPrograms } from "../skills/programs.ts";
import { isDirectory, skillDirectory } from "../skills/status.ts";
import { typed } from "./arguments.ts";
import type { Context } from "./command.ts";

/** Flags that more than one command about skills takes. */
export const skillFlags = {
  agent: {
    type: "string",
    valueHint: "name",
    description: "Coding agent, or all (default: those found here)",
  },
  path: {
    type: "string",
    valueHint: "directory",
    description: "Other directory of skills, with --agent",
  },
} as const;

export interface SkillAgent {
  harness: Harness;
  /** In which its skills lie. */
  directory: string;
}

type World = Pick<Context, "env" | "cwd">;

/** The agents that `--agent` means, with the directory of each; without it every one that has a folder for skills. */
export function namedAgents(
  { env, cwd }: World,
  { agent, path }: { agent: string | undefined; path: string | undefined },
): SkillAgent[] {
  const name = explicitAgent(agent);
  const given = givenPath(path, env, cwd());
  const supported = harnesses.filter((harness) => Object.hasOwn(skillPrograms, harness.name));
  if (name === undefined) {
    if (given !== undefined) throw new UsageError("--path requires one explicit agent");
    return supported.flatMap((harness) => placed(harness, skillDirectory(harness, env, cwd())));
  }
  const harness = findHarness(name);
  if (harness === undefined || !supported.includes(harness)) {
    throw new UsageError(`there are no skills for an agent ${typed(agent?.trim() ?? "")}`, {
      code: "E_AGENT",
      hint: `Choose one of ${supported.map((one) => one.name).join(", ")}, or all.`,
    });
  }
  return placed(harness, given ?? skillDirectory(harness, env, cwd()));
}

/** The same as far as they are here: skills are written for no agent that was never used. */
export async function agentsHere(
  world: World,
  args: { agent: string | undefined; path: string | undefined },
) {
  const named = namedAgents(world, args);
  if (args.path?.trim()) return named;
  const here: SkillAgent[] = [];
  for (const one of named)
    if (await isDirectory(configDirectory(one.harness, world.env, world.cwd()))) here.push(one);
  if (here.length > 0) return here;
  const [only] = named;
  if (explicitAgent(args.agent) !== undefined && only !== undefined) {
    throw new RoborevError(
      `${only.harness.displayName} has no configuration here: there is no ${configDirectory(only.harness, world.env, world.cwd())}`,
      { code: "E_AGENT", hint: "Start it once, or say where with --path." },
    );
  }
  throw new RoborevError("no coding agent has its configuration here", {
    code: "E_AGENT",
    hint: "Start one once, or name one with --agent NAME --path DIRECTORY.",
  });
}

const placed = (harness: Harness, directory: string | undefined): SkillAgent[] =>
  directory === undefined ? [] : [{ harness, directory }];
