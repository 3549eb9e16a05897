import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/** Days that a job's log is kept. */
export const keptLogDays = 7;

export const dayMs = 24 * 3_600_000;

/** Removes the logs that nothing was written to since `before`; how many. Other files are left alone. */
export async function pruneJobLogs(directory: string, before: Date): Promise<number> {
  let removed = 0;
  for (const name of await logNames(directory)) {
    const path = join(directory, name);
    try {
      const stat = await lstat(path);
      if (!stat.isFile() || stat.mtimeMs >= before.getTime()) continue;
      await unlink(path);
      removed++;
    } catch (cause) {
      if (errorCode(cause) === "ENOENT") continue; // somebody else removed it
      throw new RoborevError(`cannot remove ${path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
    }
  }
  return removed;
}

async function logNames(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => /^\d+\.log$/.test(name));
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return []; // no job has run yet
    throw new RoborevError(`cannot read ${directory}: ${failureReason(cause)}`, { code: "E_READ", cause });
  }
}
