import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateDirectory } from "../fs/private.ts";

/** What a reviewer prints while it works, kept for `roborev log`. Losing it never loses a review. */
export interface JobLog {
  write(chunk: Uint8Array): void;
  /** Writes what can be written. Never rejects. */
  close(): Promise<void>;
  /** Closes the log of a run that counts for nothing, because it is going to begin anew, and leaves nothing of it. */
  drop(): Promise<void>;
}

interface JobLogOptions {
  /** Told once in a row of failures. */
  onError(error: unknown): void;
  /** Pause before the next try. Default 5 s. */
  retryMs?: number;
}

const defaultRetryMs = 5_000;
/** Kept while nothing can be written; of more, the newest. */
const keptBytes = 256 * 1024;
/** Kept while the disk is merely slower than the reviewer. */
const queuedBytes = 4 * 1024 * 1024;

export function jobLogPath(directory: string, jobId: number): string {
  return join(directory, `${jobId}.log`);
}

/** Starts a job's log anew. It cannot fail: what cannot be written now may be later, or is dropped, and the log says so. */
export function openJobLog(directory: string, jobId: number, options: JobLogOptions): JobLog {
  return new FileLog(directory, jobLogPath(directory, jobId), options);
}

class FileLog implements JobLog {
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private droppedBytes = 0;
  private file: FileHandle | undefined;
  /** The log of an earlier run is gone. */
  private isBegun = false;
  private isFailing = false;
  private writing: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly directory: string,
    private readonly path: string,
    private readonly options: JobLogOptions,
  ) {
    this.begin();
  }

  write(chunk: Uint8Array): void {
    this.pending.push(chunk);
    this.pendingBytes += chunk.length;
    this.dropBeyond(this.isFailing ? keptBytes : queuedBytes);
    if (!this.isFailing) this.begin();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    this.begin();
    await this.writing;
    clearTimeout(this.timer);
    await this.file?.close().catch(this.options.onError);
  }

  async drop(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  private begin(): void {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      if (this.pending.length > 0 && !this.isFailing) this.begin();
    });
  }

  /** Never rejects. */
  private async writeAll(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.file ??= await this.openFile();
      while (this.pending.length > 0 || this.droppedBytes > 0) await this.writeNext(this.file);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.options.onError(error);
      this.isFailing = true;
      await this.file?.close().catch(() => {}); // what is wrong with it is told already
      this.file = undefined;
      this.dropBeyond(keptBytes);
      this.timer = setTimeout(() => this.begin(), this.options.retryMs ?? defaultRetryMs);
      this.timer.unref();
    }
  }

  private async openFile(): Promise<FileHandle> {
    await ensurePrivateDirectory(this.directory);
    const file = await open(this.path, this.isBegun ? "a" : "w", 0o600);
    this.isBegun = true;
    return file;
  }

  /** One chunk, or the note on what is missing before it. What could not be written waits again. */
  private async writeNext(file: FileHandle): Promise<void> {
    const gap = this.droppedBytes;
    let chunk = gap > 0 ? gapNote(gap) : (this.pending.shift() as Uint8Array);
    if (gap > 0) this.droppedBytes = 0;
    else this.pendingBytes -= chunk.length;
    try {
      while (chunk.length > 0) chunk = chunk.subarray((await file.write(chunk)).bytesWritten);
    } catch (error) {
      if (gap > 0) this.droppedBytes += gap;
      else {
        this.pending.unshift(chunk);
        this.pendingBytes += chunk.length;
      }
      throw error;
    }
  }

  /** Drops the oldest of what waits. */
  private dropBeyond(maxBytes: number): void {
    while (this.pendingBytes > maxBytes) {
      const oldest = this.pending[0] as Uint8Array;
      const excess = Math.min(oldest.length, this.pendingBytes - maxBytes);
      if (excess === oldest.length) this.pending.shift();
      else this.pending[0] = oldest.subarray(excess);
      this.pendingBytes -= excess;
      this.droppedBytes += excess;
    }
  }
}

const gapNote = (bytes: number): Uint8Array =>
  new TextEncoder().encode(`\n[roborev dropped ${bytes} bytes of output that could not be written]\n`);
