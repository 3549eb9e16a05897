import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/** A log of ours, open for reading; undefined: there is none. A link, a pipe or a directory in its place is refused. */
export async function openLogFile(path: string): Promise<FileHandle | undefined> {
  try {
    // Without waiting: a pipe has no writer.
    const file = await open(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw unreadableLog(path, failureReason(cause), cause);
  }
  throw unreadableLog(path, "it is no regular file");
}

export const unreadableLog = (path: string, reason: string, cause?: unknown): RoborevError =>
  new RoborevError(`cannot read ${path}: ${reason}`, { code: "E_READ", cause });
