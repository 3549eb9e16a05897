import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../lib/errors.ts";

const refusals: readonly unknown[] = ["EACCES", "EPERM"];

/**
 * Removes a directory of ours with all that others left in it. A module cache, for instance, consists of directories that
 * nobody may write to, and nothing can be taken out of one of those before that is changed. Links are not followed.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!refusals.includes(errorCode(error))) throw error;
    if ((await lstat(path)).isDirectory()) await openUp(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openUp(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await openUp(join(directory, entry.name));
}
