import { chmod, lstat, readFile, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory, writeFileAtomic } from "../../fs/atomic.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";

/** A hook as it is on disk, links followed. `bytes` null: there is none. */
export interface HookFile {
  bytes: Buffer | null;
  mode?: number;
}

export async function readHookFile(path: string): Promise<HookFile> {
  try {
    const node = await stat(path);
    if (!node.isFile()) throw new RoborevError(`${path} is not a regular file`, { code: "E_WRITE" });
    return { bytes: await readFile(path), mode: node.mode & 0o7777 };
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return { bytes: null };
    throw error;
  }
}

/** Replaces or creates a hook; what stands there must still be what was read. */
export async function writeHookFile(
  path: string,
  file: HookFile,
  text: string,
  mode?: number,
): Promise<void> {
  await writeFileAtomic(path, Buffer.from(text, "latin1"), { mode: 0o755, expect: file.bytes });
  if (mode !== undefined && file.mode !== undefined && file.mode !== mode) await chmod(path, mode);
}

/** Deletes a hook that is ours alone; what a link points to is left alone. */
export async function deleteHookFile(path: string): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  await unlink(path);
  await syncDirectory(dirname(path));
  return true;
}
