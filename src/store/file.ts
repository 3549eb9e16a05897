import { chmod, open, stat } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/**
 * Makes sure that SQLite finds a private regular file of ours at `path`: creates it with mode 0600, narrows one that
 * others can read. An existing file is never opened here, because closing it would drop SQLite's locks on it
 * (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 */
export async function prepareFile(path: string): Promise<void> {
  const file = await statOf(path);
  if (file !== undefined && !file.isFile()) throw refused(path, "is not a regular file");
  if (file !== undefined && process.getuid !== undefined && file.uid !== process.getuid()) {
    throw refused(path, "belongs to another user");
  }
  // SQLite would take an empty file for a new database and delete the log that holds the content of the lost one.
  if ((file?.size ?? 0) === 0 && ((await statOf(`${path}-wal`))?.size ?? 0) > 0) {
    throw refused(path, "is empty or gone, but its write-ahead log is not");
  }
  try {
    if (file === undefined) await (await open(path, "wx", 0o600)).close();
    else if (process.platform !== "win32" && (file.mode & 0o077) !== 0) await chmod(path, 0o600);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return; // somebody created it just now; SQLite's locks order the rest
    throw new RoborevError(`cannot create ${path}: ${failureReason(cause)}`, { code: "E_DATABASE", cause });
  }
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw new RoborevError(`cannot read ${path}: ${failureReason(cause)}`, { code: "E_DATABASE", cause });
  }
}

const refused = (path: string, problem: string) =>
  new RoborevError(`${path} ${problem}`, {
    code: "E_DATABASE",
    hint: "Nothing was changed. Move it and its -wal and -shm files away together, or put a backup in its place.",
  });
