import { chmod, lstat, mkdir } from "node:fs/promises";
import { errorMessage, RoborevError } from "../lib/errors.ts";

/**
 * Makes sure that `path` is a directory that only we can enter: creates it and its parents with mode 0700,
 * and narrows one of ours that others could enter. Refuses links, other node types and other owners.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new RoborevError(`cannot create ${path}: ${errorMessage(cause)}`, { code: "E_WRITE", cause });
  }
  if ((await checkedMode(path)) & 0o077) await chmod(path, 0o700);
}

/** As above for a directory in a place that others can write to: one that is open to others is refused, never mended. */
export async function requirePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await checkedMode(path)) & 0o077) throw refused(path, "can be entered by other users");
}

async function checkedMode(path: string): Promise<number> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) throw refused(path, "is not a directory");
  if (process.getuid !== undefined && stat.uid !== process.getuid())
    throw refused(path, "belongs to another user");
  return process.platform === "win32" ? 0o700 : stat.mode;
}

const refused = (path: string, problem: string) =>
  new RoborevError(`${path} ${problem}`, { code: "E_PRIVATE", hint: "Remove it and try again." });
