import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { readTarget } from "../fs/target.ts";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

const ownFiles = ["SKILL.md", "agents", "agents/openai.yaml"];

/**
 * Removes a skill of an earlier release, and says whether it is gone or was kept; undefined where there is none. Those
 * carry no mark of ours: one is taken for it that is called so, calls roborev, and has no file beside it that we would not
 * have written.
 */
export async function removeLegacySkill(directory: string): Promise<"removed" | "kept" | undefined> {
  const stat = await lstat(directory).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw cannot(directory, error);
  });
  if (stat === undefined) return undefined;
  if (!stat.isDirectory()) return "kept";
  const names = await readdir(directory, { recursive: true });
  const text = names.includes("SKILL.md") ? await ownText(join(directory, "SKILL.md")) : undefined;
  const isCalledSo = new RegExp(`^name: ["']?${basename(directory).replace("-", "[-:]")}["']?\\s*$`, "m");
  const isOurs =
    text !== undefined &&
    isCalledSo.test(text) &&
    /\broborev [a-z]/.test(text) &&
    names.every((name) => ownFiles.includes(name));
  if (!isOurs) return "kept";
  await removeFiles(directory, names);
  return "removed";
}

async function ownText(path: string): Promise<string | undefined> {
  const stat = await lstat(path);
  return stat.isFile() ? new TextDecoder().decode((await readTarget(path)).bytes ?? undefined) : undefined;
}

/** Removes a directory that holds these and nothing else; what somebody adds meanwhile stays, and so does the directory. */
export async function removeFiles(directory: string, names: readonly string[]): Promise<void> {
  try {
    for (const name of names.toSorted((a, b) => b.length - a.length)) {
      const path = join(directory, name);
      if ((await lstat(path)).isDirectory()) await rmdir(path);
      else await unlink(path);
    }
    await rmdir(directory);
  } catch (error) {
    throw cannot(directory, error);
  }
}

const cannot = (path: string, cause: unknown) =>
  new RoborevError(`cannot remove ${path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
