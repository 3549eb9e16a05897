import { copyFile, link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";
import { syncDirectory } from "./atomic.ts";

/** Where the former file stays after `swapFile`: not under a name, such as `.old`, that a user gives to a copy of his own. */
export const formerOf = (target: string): string => `${target}.before-update`;

/**
 * Puts `staged`, a file on the same file system, in the place of `target` in one step: whoever starts it meanwhile gets
 * the old one or the new one. The old one stays as `formerOf` says, until the caller is sure of the new one.
 */
export async function swapFile(target: string, staged: string): Promise<void> {
  const former = formerOf(target);
  try {
    await sync(staged);
    await rm(former, { force: true });
    if (process.platform === "win32") {
      await rename(target, former); // a program that runs cannot be replaced there, but it can be moved
      await rename(staged, target).catch(async (error) => {
        await rename(former, target);
        throw error;
      });
      return;
    }
    await keep(target, former);
    await rename(staged, target);
    await syncDirectory(dirname(target));
  } catch (cause) {
    throw new RoborevError(`cannot replace ${target}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
  }
}

/** A second name for the same file; a copy where the file system knows no such thing. */
async function keep(target: string, former: string): Promise<void> {
  try {
    await link(target, former);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(errorCode(error) ?? "")) throw error;
    await copyFile(target, former);
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
