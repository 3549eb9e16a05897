import { Database } from "bun:sqlite";
import { chmodSync, statSync } from "node:fs";
import { errorMessage, RoborevError } from "../lib/errors.ts";

/** A lock that the operating system takes back when its holder dies, however it dies. */
export interface Lock {
  release(): void;
}

/** A database that nothing refers to is closed by the garbage collector, and its lock is gone. */
const held = new Set<Database>();

/**
 * Takes the lock file at `path`, or returns undefined when another process holds it. The lock is SQLite's
 * exclusive transaction on a tiny database: nobody else may open that file in this process, because
 * POSIX drops a process's locks on a file as soon as any of its descriptors is closed
 * (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 */
export function tryLock(path: string): Lock | undefined {
  let database: Database | undefined;
  try {
    database = new Database(path, { create: true });
    narrow(path);
    database.exec("PRAGMA busy_timeout = 0");
    // Nothing is ever written: without this a lock could not be taken, or seen to be free, on a full disk.
    database.exec("PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database?.close();
    if (isBusy(cause)) return undefined;
    throw new RoborevError(`cannot lock ${path}: ${errorMessage(cause)}`, { code: "E_LOCK", cause });
  }
  const taken = database;
  held.add(taken);
  return {
    release() {
      held.delete(taken);
      taken.close();
    },
  };
}

/** SQLite creates files for others to read. Never by opening the file here: that would drop the lock. */
function narrow(path: string): void {
  if (process.platform !== "win32" && statSync(path).mode & 0o077) chmodSync(path, 0o600);
}

/** Runs `work` under the lock, waiting up to `timeoutMs` for it. */
export async function withLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (performance.now() >= deadline) {
      throw new RoborevError(`${path} is held by another roborev process`, { code: "E_LOCK" });
    }
    await Bun.sleep(10);
  }
}

function isBusy(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "SQLITE_BUSY" || code === "SQLITE_LOCKED" || code === "SQLITE_BUSY_RECOVERY";
}
