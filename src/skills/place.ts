import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { readTarget } from "../fs/target.ts";
import { errorCode, RoborevError } from "../lib/errors.ts";
import type { SkillFile } from "./files.ts";
import { isUntouched } from "./seal.ts";

/** A file of a skill as it lies in a directory. */
export interface PlacedFile {
  path: string;
  /** After following links. */
  real: string;
  before: Uint8Array | null;
  after: string;
  /** `edited`: not as any release of ours wrote it. */
  state: "current" | "outdated" | "edited" | "missing";
}

/**
 * What stands at the place of a file. The directory of skills may be a link, and a link in it that leads out is followed
 * to a file that we wrote, as people do who keep their dotfiles elsewhere. To any other file it is refused: a repository
 * may hold such a link, and a file of the user's would be replaced.
 */
export async function placedFile(skillDirectory: string, file: SkillFile): Promise<PlacedFile> {
  const path = join(skillDirectory, file.path);
  const { path: real, bytes } = await readTarget(path);
  const before = bytes === null ? null : new TextDecoder().decode(bytes);
  const isOurs = before !== null && isUntouched(before);
  if (!isOurs && !(await isInside(real, join(skillDirectory, "..")))) {
    throw new RoborevError(`${path} leads out of the directory of skills, to ${real}`, {
      code: "E_TARGET",
      hint: "Nothing was changed. Remove the link, or what it leads to.",
    });
  }
  const state =
    before === null ? "missing" : before === file.text ? "current" : isOurs ? "outdated" : "edited";
  return { path, real, before: bytes, after: file.text, state };
}

async function isInside(real: string, directory: string): Promise<boolean> {
  try {
    return real.startsWith(`${await realpath(directory)}${sep}`);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true; // there is no directory that it could lead out of
    throw error;
  }
}
