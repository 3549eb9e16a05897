import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";

/** Reads a log that may still be written, or begin anew, piece by piece: only whole lines, until `rest` is asked for. */
export class LogLines {
  private decoder = new TextDecoder();
  private partial = "";
  private offset = 0;
  private inode: number | undefined;

  constructor(private readonly path: string) {}

  /** The lines that were not read yet, many at a time, each without the end of its last one; none where there is no log. */
  async *next(): AsyncGenerator<string> {
    const file = await this.open();
    if (file === undefined) return;
    try {
      const { ino, size } = await file.stat();
      if (ino !== this.inode || size < this.offset) this.beginAnew(ino);
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, this.offset);
        if (bytesRead === 0) return;
        this.offset += bytesRead;
        const text = this.partial + this.decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
        const end = text.lastIndexOf("\n");
        this.partial = text.slice(end + 1);
        if (end >= 0) yield text.slice(0, end);
      }
    } catch (cause) {
      throw this.unreadable(cause);
    } finally {
      await file.close();
    }
  }

  /** What stands behind the last line end. */
  rest(): string {
    return this.partial + this.decoder.decode();
  }

  private beginAnew(inode: number): void {
    this.inode = inode;
    this.offset = 0;
    this.partial = "";
    this.decoder = new TextDecoder();
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
