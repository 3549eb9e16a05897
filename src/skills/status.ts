import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Environment, Harness } from "../harness/harness.ts";
import { configDirectory } from "../lib/config-directory.ts";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";
import { type Skill, skills } from "./catalogue.ts";
import { skillFiles } from "./files.ts";
import { type PlacedFile, placedFile } from "./place.ts";
import { skillPrograms } from "./programs.ts";

/**
 * `edited`: not as any release of ours wrote it, so it is left alone. `refused`: it cannot be read, or replaced without
 * harm. `no_agent`: the program has no configuration here.
 */
export type SkillState = "installed" | "outdated" | "edited" | "missing" | "refused" | "no_agent";

export interface SkillStatus {
  name: string;
  state: SkillState;
  path: string;
  /** Why it is refused. */
  problem?: string;
}

/** The skills of one program, in the shape that `--json` prints. */
export interface ProgramStatus {
  agent: string;
  name: string;
  directory: string;
  skills: SkillStatus[];
}

/** The directory in which a program of this name looks for skills; undefined where it documents none. */
export function skillDirectory(harness: Harness, env: Environment, cwd: string): string | undefined {
  const program = skillPrograms[harness.name];
  return program && join(configDirectory(harness, env, cwd), program.directory);
}

/** How every skill of a program stands; undefined for one without a folder for skills. Reads only. */
export async function skillStatus(
  harness: Harness,
  { env, cwd, directory }: { env: Environment; cwd: string; directory?: string | undefined },
): Promise<ProgramStatus | undefined> {
  const place = directory ?? skillDirectory(harness, env, cwd);
  if (place === undefined) return undefined;
  const isHere = directory !== undefined || (await isDirectory(configDirectory(harness, env, cwd)));
  return {
    agent: harness.name,
    name: harness.displayName,
    directory: place,
    skills: await Promise.all(
      skills.map(async (skill) => ({
        name: skill.name,
        path: join(place, skill.name, "SKILL.md"),
        ...(isHere ? await standing(harness, place, skill) : { state: "no_agent" as const }),
      })),
    ),
  };
}

async function standing(
  harness: Harness,
  directory: string,
  skill: Skill,
): Promise<Pick<SkillStatus, "state" | "problem">> {
  try {
    return { state: stateOf(await placedFiles(harness, directory, skill)) };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { state: "refused", problem: error.message };
  }
}

/** How the files of one skill stand in a directory of skills. */
export async function placedFiles(
  { name }: Pick<Harness, "name">,
  directory: string,
  skill: Skill,
): Promise<PlacedFile[]> {
  const program = skillPrograms[name];
  if (program === undefined) throw new Error(`${name} has no folder for skills`);
  const files = skillFiles(skill, program);
  return await Promise.all(files.map((file) => placedFile(join(directory, skill.name), file)));
}

/** The state of a skill from those of its files: it is there if its text is. */
export function stateOf(files: readonly PlacedFile[]): Exclude<SkillState, "refused" | "no_agent"> {
  const states = files.map(({ state }) => state);
  if (states.includes("edited")) return "edited";
  if (states[0] === "missing") return "missing";
  return states.every((state) => state === "current") ? "installed" : "outdated";
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
    throw new RoborevError(`cannot read ${path}: ${failureReason(error)}`, { code: "E_READ", cause: error });
  }
}
