import { failureReason } from "../lib/errors.ts";
import { openLogFile, unreadableLog } from "./log-file.ts";

interface LogLinesOptions {
  /** Of a log that is longer when it is first seen, only its last lines, of so many bytes. */
  tailBytes?: number;
  /** A longer line comes in pieces. */
  maxLineBytes?: number;
}

const pieceBytes = 64 * 1024;
const newline = 0x0a;

/** Reads a log that may still be written, or begin anew, piece by piece: only whole lines, until `rest` is asked for. */
export class LogLines {
  /** Changes when the log has begun anew; what was read before belongs to another run. */
  run = 0;
  /** What came first in this run is left out. */
  isTail = false;
  private partial: Uint8Array[] = [];
  private partialBytes = 0;
  private offset = 0;
  private inode: number | undefined;
  /** What is read is the rest of a line whose beginning is left out. */
  private isInLine = false;

  constructor(
    private readonly path: string,
    private readonly options: LogLinesOptions = {},
  ) {}

  /** The lines that were not read yet, many at a time; none where there is no log. */
  async *next(): AsyncGenerator<Uint8Array> {
    const file = await openLogFile(this.path);
    if (file === undefined) return;
    try {
      const { ino, size } = await file.stat();
      if (ino !== this.inode || size < this.offset) this.beginAnew(ino, size);
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, this.offset);
        if (bytesRead === 0) return;
        this.offset += bytesRead;
        const whole = this.wholeLines(this.afterCut(buffer.subarray(0, bytesRead)));
        if (whole.length > 0) yield whole;
      }
    } catch (cause) {
      throw unreadableLog(this.path, failureReason(cause), cause);
    } finally {
      await file.close();
    }
  }

  /** What stands behind the last line end. */
  rest(): Uint8Array {
    return Buffer.concat(this.partial);
  }

  private beginAnew(inode: number, size: number): void {
    this.run++;
    this.inode = inode;
    this.offset = Math.max(0, size - (this.options.tailBytes ?? size));
    this.isTail = this.offset > 0;
    this.isInLine = this.isTail;
    this.forgetPartial();
  }

  /** Without the end of a line that began before the tail. */
  private afterCut(bytes: Uint8Array): Uint8Array {
    if (!this.isInLine) return bytes;
    const end = bytes.indexOf(newline);
    if (end === -1) return bytes.subarray(bytes.length);
    this.isInLine = false;
    return bytes.subarray(end + 1);
  }

  /** What can be given now; the rest waits. */
  private wholeLines(bytes: Uint8Array): Uint8Array {
    const waiting = this.partialBytes + bytes.length;
    let end = bytes.lastIndexOf(newline) + 1;
    if (end === 0 && waiting > (this.options.maxLineBytes ?? waiting)) end = bytes.length;
    const before = end > 0 ? this.partial : [];
    if (end > 0) this.forgetPartial();
    if (end < bytes.length) {
      this.partial.push(bytes.subarray(end));
      this.partialBytes += bytes.length - end;
    }
    return Buffer.concat([...before, bytes.subarray(0, end)]);
  }

  private forgetPartial(): void {
    this.partial = [];
    this.partialBytes = 0;
  }
}
