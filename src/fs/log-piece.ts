import { failureReason } from "../lib/errors.ts";
import { openLogFile, unreadableLog } from "./log-file.ts";

export interface LogPiece {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where the next piece begins. */
  next: number;
}

interface PieceOptions {
  offset: number;
  maxBytes: number;
  /** The log grows: what stands behind the last line end is not given yet, unless it is a whole piece. */
  growing: boolean;
}

const newline = 0x0a;

/**
 * A piece of a log's bytes from an offset. One beyond the end, which is where a log that has begun anew can leave a
 * reader, gives nothing, and the start as the next offset. Undefined: there is no log.
 */
export async function readLogPiece(path: string, options: PieceOptions): Promise<LogPiece | undefined> {
  const { offset, maxBytes, growing } = options;
  const file = await openLogFile(path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (offset > size) return { bytes: new Uint8Array(), next: 0 };
    const buffer = new Uint8Array(Math.min(maxBytes, size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const read = buffer.subarray(0, bytesRead);
    const end = read.lastIndexOf(newline) + 1;
    const isWhole = !growing || (end === 0 && bytesRead === maxBytes);
    const bytes = isWhole ? read : read.subarray(0, end);
    return { bytes, next: offset + bytes.length };
  } catch (cause) {
    throw unreadableLog(path, failureReason(cause), cause);
  } finally {
    await file.close();
  }
}
