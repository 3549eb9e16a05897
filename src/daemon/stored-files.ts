import type { DataPaths } from "../config/paths.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import { errorCode, errorMessage } from "../lib/errors.ts";
import { checkDatabaseFile, type FileCheck } from "../store/check-file.ts";
import { parseSnapshot } from "../store/hook-state/snapshot.ts";

/** What a daemon would find when it starts; reads only. */
export interface StoredFiles {
  database: FileCheck;
  hookState:
    | { state: "missing" }
    | { state: "sound"; sessions: number }
    | { state: "damaged"; problem: string };
}

/** For `roborev doctor`, which works without a daemon: how the files that only daemons write stand. */
export async function checkStoredFiles(paths: DataPaths): Promise<StoredFiles> {
  return { database: checkDatabaseFile(paths.database), hookState: await checkHookState(paths.hookState) };
}

/** Far more than any daemon writes. */
const maxStateBytes = 256 * 1024 * 1024;

async function checkHookState(path: string): Promise<StoredFiles["hookState"]> {
  try {
    const text = (await readBoundedFile(path, maxStateBytes)).toString();
    return { state: "sound", sessions: parseSnapshot(text).state.sessions.size };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { state: "missing" };
    return { state: "damaged", problem: errorMessage(error) };
  }
}
