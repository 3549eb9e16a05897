import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/** Reads a log that may still be written, or begin anew, piece by piece: only whole lines, until `rest` is asked for. */
export class LogLines {
  /** Changes when the log has begun anew; what was read before belongs to another run. */
  run = 0;
  private partial: Uint8Array[] = [];
  private offset = 0;
  private inode: number | undefined;

  constructor(private readonly path: string) {}

  /** The lines that were not read yet, many at a time; none where there is no log. */
  async *next(): AsyncGenerator<Uint8Array> {
    const file = await this.open();
    if (file === undefined) return;
    try {
      const { ino, size } = await file.stat();
      if (ino !== this.inode || size < this.offset) this.beginAnew(ino);
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, this.offset);
        if (bytesRead === 0) return;
        this.offset += bytesRead;
        const bytes = buffer.subarray(0, bytesRead);
        const end = bytes.lastIndexOf(0x0a) + 1;
        if (end > 0) {
          const whole = Buffer.concat([...this.partial, bytes.subarray(0, end)]);
          this.partial = [];
          yield whole;
        }
        if (end < bytesRead) this.partial.push(bytes.subarray(end));
      }
    } catch (cause) {
      throw this.unreadable(cause);
    } finally {
      await file.close();
    }
  }

  /** What stands behind the last line end. */
  rest(): Uint8Array {
    return Buffer.concat(this.partial);
  }

  private beginAnew(inode: number): void {
    this.run++;
    this.inode = inode;
    this.offset = 0;
    this.partial = [];
  }

  private async open(): Promise<FileHandle | undefined> {
    try {
      return await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (cause) {
      if (errorCode(cause) === "ENOENT") return undefined;
      throw this.unreadable(cause);
    }
  }

  private unreadable(cause: unknown): RoborevError {
    return new RoborevError(`cannot read ${this.path}: ${failureReason(cause)}`, { code: "E_READ", cause });
  }
}
