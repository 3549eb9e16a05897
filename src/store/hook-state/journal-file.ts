import { writeSync } from "node:fs";
import { constants, type FileHandle, open } from "node:fs/promises";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { failureReason, RoborevError } from "../../lib/errors.ts";

// A write that returns when its data is on disk spares each event one of two trips through the thread pool.
const writesThrough = constants.O_DSYNC !== undefined;
/** What everything else in the daemon may be held up by one write. */
const slowDiskMs = 5;

/** The file `state.journal`. One caller at a time. */
export class JournalFile {
  private handle: FileHandle | undefined;
  /** Where the next line goes; undefined: at the end of whatever file is there. */
  private end: number | undefined;
  private isDiskSlow = false;

  constructor(private readonly path: string) {}

  get bytes(): number {
    return this.end ?? 0;
  }

  /** Appends a line and waits until it is on disk. A failure leaves the file as it was. `isDiskBusy`: with us. */
  async append(line: string, isDiskBusy = false): Promise<void> {
    const bytes = Buffer.from(line);
    try {
      const handle = this.handle ?? (await this.open());
      const end = this.bytes;
      try {
        await this.write(handle, bytes, end, isDiskBusy);
        this.end = end + bytes.length;
      } catch (error) {
        // The half-written line fails its checksum, but nothing may be appended behind it.
        await handle.truncate(end).catch(() => this.close());
        throw error;
      }
    } catch (error) {
      throw this.unwritable(error);
    }
  }

  /** Replaces the file in one step. When that fails, either file may be there, and the next line goes to its end. */
  async restart(content: string): Promise<void> {
    await this.close();
    this.end = undefined;
    await writeFileAtomic(this.path, content);
    await this.open().catch((error) => {
      throw this.unwritable(error);
    });
  }

  async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }

  private unwritable(cause: unknown): RoborevError {
    return new RoborevError(`cannot write ${this.path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });
  }

  private async open(): Promise<FileHandle> {
    const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_DSYNC ?? 0);
    const handle = await open(this.path, flags, 0o600);
    try {
      if (this.end === undefined) this.end = (await handle.stat()).size;
      else await handle.truncate(this.end);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.handle = handle;
    return handle;
  }

  /**
   * On a quick disk the write is waited for where we stand: the trip through the thread pool takes as long again, and
   * an agent waits for it. A disk that has once been slow, or is busy with a snapshot, is never waited for by anything
   * but its own event.
   */
  private async write(handle: FileHandle, bytes: Uint8Array, at: number, isDiskBusy: boolean): Promise<void> {
    if (!writesThrough || this.isDiskSlow || isDiskBusy) {
      await writeAll(handle, bytes, at);
      if (!writesThrough) await handle.datasync();
      return;
    }
    const startMs = performance.now();
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(handle.fd, bytes, done, bytes.length - done, at + done);
    }
    this.isDiskSlow = performance.now() - startMs > slowDiskMs;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
