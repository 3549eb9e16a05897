import { access, constants, lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/** A configuration file after following links, and what it holds; null: there is none. */
export interface Target {
  path: string;
  bytes: Uint8Array | null;
}

/** Resolves and reads a configuration file. Refuses what a rename would damage: see each message. */
export async function readTarget(path: string): Promise<Target> {
  const resolved = await resolveTarget(path);
  const stat = await lstat(resolved).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw refused(path, `cannot be read: ${failureReason(error)}`);
  });
  if (!stat) return { path: resolved, bytes: null };
  if (!stat.isFile()) throw refused(path, "is not a regular file");
  if (process.getuid !== undefined && stat.uid !== process.getuid())
    throw refused(path, "belongs to another user");
  if (stat.nlink > 1) throw refused(path, "has further hard links, which would keep the old content");
  try {
    return { path: resolved, bytes: await readFile(resolved) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { path: resolved, bytes: null };
    throw refused(path, `cannot be read: ${failureReason(error)}`);
  }
}

/** Refuses a file that its owner made read-only, and one that cannot be replaced, before anything is written. */
export async function requireReplaceable(path: string, target: Target): Promise<void> {
  const { path: resolved, bytes } = target;
  if (bytes !== null && ((await lstat(resolved)).mode & 0o200) === 0) throw refused(path, "is read-only");
  try {
    await access(await nearestDirectory(dirname(resolved)), constants.W_OK);
  } catch (error) {
    throw refused(path, `cannot be written: ${failureReason(error)}`);
  }
}

/** The directory, or the nearest one above that exists. */
async function nearestDirectory(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => undefined); // absent: the one above counts
  return stat || dirname(path) === path ? path : await nearestDirectory(dirname(path));
}

/** The real path of the file, or of where it will be. A link to nowhere is refused. */
async function resolveTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw refused(path, `cannot be read: ${failureReason(error)}`);
  }
  const link = await lstat(path).catch(() => undefined); // absent is the normal case here
  if (link?.isSymbolicLink()) throw refused(path, "is a symbolic link to nowhere");
  const parent = dirname(path);
  return parent === path ? path : join(await resolveTarget(parent), basename(path));
}

const refused = (path: string, problem: string) =>
  new RoborevError(`${path} ${problem}`, { code: "E_TARGET", hint: "Nothing was changed." });
