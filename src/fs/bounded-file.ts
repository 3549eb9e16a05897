import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { RoborevError } from "../lib/errors.ts";

/**
 * Bytes of a file that somebody else may have put there. A link is followed, but what it leads to must be a regular
 * file of at most `maxBytes`: a repository can hold links to /dev/zero, which never ends, and to pipes, which wait for
 * ever. Rejects with E_FILE for those, and as the system does for the rest (ENOENT).
 */
export async function readBoundedFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new RoborevError(`${path} is no regular file`, { code: "E_FILE" });
    if (stat.size > maxBytes)
      throw new RoborevError(`${path} is larger than ${maxBytes} bytes`, { code: "E_FILE" });
    const bytes = Buffer.alloc(stat.size); // what grows meanwhile is read the next time
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
