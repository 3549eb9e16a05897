import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../fs/atomic.ts";
import { removeLeftTemps } from "../fs/left-temps.ts";
import { requireReplaceable } from "../fs/target.ts";
import type { Harness } from "../harness/harness.ts";
import { failureReason, RoborevError } from "../lib/errors.ts";
import { legacySkills, type Skill, skills } from "./catalogue.ts";
import { removeLegacySkill } from "./legacy.ts";
import type { PlacedFile } from "./place.ts";
import { placedFiles, stateOf } from "./status.ts";

export interface SkillOptions {
  /** The directory of skills. */
  directory: string;
  /** Skills that are not there yet stay away. */
  onlyPresent?: boolean;
  /** What was edited is replaced. */
  force?: boolean;
}

export type SkillResult = "installed" | "updated" | "current" | "kept" | "absent" | "removed" | "failed";

export interface SkillChange {
  name: string;
  result: SkillResult;
  /** Of a failure. */
  problem?: string;
}

/**
 * Writes the bundled skills of a program into its directory, and takes those of earlier releases away. One that was edited
 * is kept whole, one that fails does not keep the others back.
 */
export async function installSkills(harness: Harness, options: SkillOptions): Promise<SkillChange[]> {
  const changes: SkillChange[] = [];
  for (const skill of skills) changes.push(await attempt(skill.name, () => install(harness, skill, options)));
  for (const name of Object.keys(legacySkills)) {
    const change = await attempt(
      name,
      async () => (await removeLegacySkill(join(options.directory, name))) ?? "absent",
    );
    if (change.result !== "absent") changes.push(change);
  }
  return changes;
}

async function attempt(name: string, work: () => Promise<SkillResult>): Promise<SkillChange> {
  try {
    return { name, result: await work() };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    const { message, hint } = error;
    return { name, result: "failed", problem: hint === undefined ? message : `${message}. ${hint}` };
  }
}

const maxAttempts = 3;

async function install(harness: Harness, skill: Skill, options: SkillOptions): Promise<SkillResult> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await installOnce(harness, skill, options);
    } catch (error) {
      // Two installs at once write the same.
      if (!(error instanceof RoborevError) || error.code !== "E_CONFLICT" || attempts === maxAttempts)
        throw error;
    }
  }
}

async function installOnce(
  harness: Harness,
  skill: Skill,
  { directory, onlyPresent = false, force = false }: SkillOptions,
): Promise<SkillResult> {
  const files = await placedFiles(harness, directory, skill);
  const state = stateOf(files);
  if (state === "installed") return "current";
  if (state === "edited" && !force) return "kept";
  if (state === "missing" && onlyPresent) return "absent";
  for (const file of files) if (file.state !== "current") await write(file);
  return state === "missing" ? "installed" : "updated";
}

async function write({ path, real, before, after }: PlacedFile): Promise<void> {
  await requireReplaceable(path, { path: real, bytes: before });
  await makeDirectory(dirname(real));
  await removeLeftTemps(real);
  await writeFileAtomic(path, after, { expect: before });
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new RoborevError(`cannot create ${path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
  }
}
