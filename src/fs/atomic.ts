import { existsSync, readFileSync, renameSync } from "node:fs";
import { type FileHandle, lstat, open, realpath, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

export interface AtomicWriteOptions {
  /** Mode of a file that does not exist yet; an existing file keeps its own. Default 0600. */
  mode?: number;
  /**
   * Bytes the file must still hold right before it is replaced, `null` for "must still be absent";
   * otherwise the write fails with `E_CONFLICT` and nothing changes.
   */
  expect?: Uint8Array | null;
}

/**
 * Replaces a file so that a reader, or a power cut, sees the old bytes or the new ones, never a mix:
 * temp file beside the target, fsync, rename, fsync of the directory. A symbolic link stays; its target is replaced.
 * Data in pieces is asked for one at a time, and other work has its turn between them.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array | Iterable<Uint8Array>,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const target = await resolveLink(path);
  const directory = dirname(target);
  // `removeLeftTemps` knows the name.
  const temp = join(directory, `.${basename(target)}.${process.pid}.${crypto.randomUUID().slice(0, 8)}.tmp`);
  try {
    const mode = (await modeOf(target)) ?? options.mode ?? 0o600;
    await writeTemp(temp, data, mode);
    if (options.expect !== undefined) expectBytes(target, options.expect);
    // In the same tick as the comparison: what another program writes in between would be lost.
    renameSync(temp, target);
    await syncDirectory(directory);
  } catch (error) {
    await unlink(temp).catch(() => undefined); // best effort: the temp name is ours alone
    if (error instanceof RoborevError) throw error;
    throw new RoborevError(`cannot write ${path}: ${failureReason(error)}`, {
      code: "E_WRITE",
      cause: error,
    });
  }
}

async function writeTemp(
  temp: string,
  data: string | Uint8Array | Iterable<Uint8Array>,
  mode: number,
): Promise<void> {
  const file: FileHandle = await open(temp, "wx", mode);
  try {
    if (typeof data === "string" || data instanceof Uint8Array) await file.writeFile(data);
    else await writePieces(file, data);
    await file.chmod(mode); // the umask may have narrowed what open() was given
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writePieces(file: FileHandle, pieces: Iterable<Uint8Array>): Promise<void> {
  for (const piece of pieces) {
    await file.writeFile(piece);
    // Several writes that end quickly are else taken in one turn of the event loop.
    await new Promise(setImmediate);
  }
}

/** The file that `path` names after following links; a dangling link resolves to where it points. */
async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const link = await lstat(path).catch(() => undefined);
    if (link?.isSymbolicLink()) {
      throw new RoborevError(`${path} is a symbolic link to nowhere`, {
        code: "E_WRITE",
        hint: "Remove the link or create its target, then try again.",
      });
    }
    return path;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    const stat = await lstat(path);
    if (!stat.isFile()) throw new RoborevError(`${path} is not a regular file`, { code: "E_WRITE" });
    return stat.mode & 0o7777;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function expectBytes(path: string, expected: Uint8Array | null): void {
  const actual = existsSync(path) ? readFileSync(path) : null;
  const same =
    expected === null || actual === null ? expected === actual : Buffer.compare(actual, expected) === 0;
  if (!same) throw new RoborevError(`${path} changed while it was being edited`, { code: "E_CONFLICT" });
}

/** Makes a rename in `directory` durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
