import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { errorCode } from "../lib/errors.ts";

/**
 * Bytes of a regular file of at most `maxBytes`; undefined when there is none, `"odd"` for everything else that may
 * stand in its place in a hostile repository (link, directory, pipe, device, larger file, no permission).
 * `look` sees the file first.
 */
export function readSmallFile(path: string, maxBytes: number, look = lookAt): Buffer | "odd" | undefined {
  // Most absent files are absent for good (`commondir` in an ordinary repository); an exception each time costs more.
  if (look(path) === undefined) return undefined;
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "odd";
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > maxBytes) return "odd";
    const buffer = Buffer.allocUnsafe(stat.size);
    let size = 0;
    while (size < buffer.length) {
      const count = readSync(file, buffer, size, buffer.length - size, size);
      if (count === 0) break;
      size += count;
    }
    return buffer.subarray(0, size);
  } catch {
    return "odd"; // an I/O error: whoever asked falls back to git, which reports it
  } finally {
    closeSync(file);
  }
}

const lookAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** Changes whenever the file is changed or replaced; `-` when there is none. */
export const fileStamp = (path: string): string => stampOf(statSync(path, { throwIfNoEntry: false }));

export const stampOf = (stat: Stats | undefined): string =>
  stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}` : "-";
