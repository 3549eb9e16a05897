import { readdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../lib/errors.ts";

/** Clears temporary files that a killed `writeFileAtomic` of ours left beside its target. */
export async function removeLeftTemps(target: string): Promise<void> {
  const directory = dirname(target);
  const pattern = /^(\d+)\.[0-9a-f]{8}\.tmp$/;
  const prefix = `.${basename(target)}.`;
  const names = await readdir(directory).catch(() => []); // no directory yet: nothing to clear
  for (const name of names) {
    const pid = name.startsWith(prefix) ? pattern.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) await unlink(join(directory, name)).catch(ignoreAbsent);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

function ignoreAbsent(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}
