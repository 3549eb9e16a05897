import { writeSync } from "node:fs";
import { constants, type FileHandle, open, readFile } from "node:fs/promises";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import { errorCode, failureReason, RoborevError } from "../../lib/errors.ts";
import type { HookState, Session } from "../../reminder/state.ts";
import { type JournalBatch, journalHeader, journalLine, parseJournal } from "./journal.ts";
import { parseSnapshot, renderSnapshot, type Snapshot } from "./snapshot.ts";

export interface HookStatePaths {
  hookDir: string;
  hookState: string;
  hookJournal: string;
}

// A write that returns when its data is on disk spares each event one of two trips through the thread pool.
const writesThrough = constants.O_DSYNC !== undefined;
/** What everything else in the daemon may be held up by one write. */
const slowDiskMs = 5;
const journalLimitBytes = 1024 * 1024;

/**
 * The files behind the reminder state. A batch that was appended is on disk; the snapshot is the documented
 * file and makes the journal short again. One caller at a time (see ledger.ts).
 */
export class HookStateFiles {
  private journal: FileHandle | undefined;
  private journalBytes = 0;
  private isDiskSlow = false;

  private constructor(
    private readonly paths: HookStatePaths,
    private generation: string,
  ) {}

  /** Reads snapshot and journal. Throws `E_HOOK_STATE`, touching neither file, when the snapshot is unreadable. */
  static async open(paths: HookStatePaths): Promise<{ files: HookStateFiles; state: HookState }> {
    await ensurePrivateDirectory(paths.hookDir);
    const snapshot = await readSnapshot(paths.hookState);
    const files = new HookStateFiles(paths, snapshot?.generation ?? "");
    const state = snapshot?.state ?? { sessions: new Map(), fixSessions: {} };
    // Without a readable snapshot of its generation a journal says nothing: whoever removed state.json meant it.
    const replayed = snapshot === undefined ? 0 : await files.replay(state);
    if (snapshot === undefined || snapshot.generation === "" || replayed > 0) await files.snapshot(state);
    else await files.startJournal();
    return { files, state };
  }

  /** Appends a batch and waits until it is on disk. A failure leaves the journal as it was. */
  async append(batch: JournalBatch): Promise<void> {
    const journal = this.journal ?? (await this.startJournal());
    const bytes = Buffer.from(journalLine(batch));
    try {
      await this.write(journal, bytes);
      this.journalBytes += bytes.length;
    } catch (error) {
      await this.forgetTail(journal);
      throw new RoborevError(`cannot write ${this.paths.hookJournal}: ${failureReason(error)}`, {
        code: "E_WRITE",
        cause: error,
      });
    }
  }

  /**
   * On a quick disk the write is waited for where we stand: the trip through the thread pool takes as long again, and
   * an agent waits for it. A disk that has once been slow is never waited for by anything but its own event.
   */
  private async write(journal: FileHandle, bytes: Uint8Array): Promise<void> {
    if (!writesThrough || this.isDiskSlow) {
      await writeAll(journal, bytes, this.journalBytes);
      if (!writesThrough) await journal.datasync();
      return;
    }
    const startMs = performance.now();
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(journal.fd, bytes, done, bytes.length - done, this.journalBytes + done);
    }
    this.isDiskSlow = performance.now() - startMs > slowDiskMs;
  }

  /** Whether the journal has grown so long that a snapshot is due at once. */
  get isJournalLong(): boolean {
    return this.journalBytes >= journalLimitBytes;
  }

  /** Writes `state.json` anew; the journal starts again behind it. */
  async snapshot(state: HookState): Promise<void> {
    const generation = crypto.randomUUID();
    await writeFileAtomic(this.paths.hookState, renderSnapshot({ generation, state }));
    this.generation = generation;
    await this.startJournal();
  }

  async close(): Promise<void> {
    await this.journal?.close();
    this.journal = undefined;
  }

  private async replay(state: HookState): Promise<number> {
    const bytes = await readFile(this.paths.hookJournal).catch((error) => {
      if (errorCode(error) === "ENOENT") return undefined;
      throw unreadable(this.paths.hookJournal, error);
    });
    const content = bytes === undefined ? undefined : parseJournal(bytes);
    if (content === undefined || content.generation !== this.generation) return 0;
    for (const batch of content.batches) applyBatch(state.sessions, batch);
    return content.batches.length;
  }

  /** A journal for the present generation: its old content belongs to an older snapshot, or is in this one. */
  private async startJournal(): Promise<FileHandle> {
    await this.close();
    const header = journalHeader(this.generation);
    await writeFileAtomic(this.paths.hookJournal, header);
    this.journal = await open(this.paths.hookJournal, constants.O_RDWR | (constants.O_DSYNC ?? 0));
    this.journalBytes = Buffer.byteLength(header);
    return this.journal;
  }

  /** Cuts off what a failed append may have left; if even that fails the next append starts a new journal. */
  private async forgetTail(journal: FileHandle): Promise<void> {
    try {
      await journal.truncate(this.journalBytes);
    } catch {
      // The half-written line fails its checksum at the next start; nothing may be appended behind it, though.
      await this.close();
    }
  }
}

export function applyBatch(sessions: Map<string, Session>, batch: JournalBatch): void {
  for (const [key, session] of Object.entries(batch.sessions)) {
    if (session === null) sessions.delete(key);
    else sessions.set(key, session);
  }
}

async function readSnapshot(path: string): Promise<Snapshot | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
  try {
    return parseSnapshot(text);
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, cause: unknown) =>
  new RoborevError(`Agent Hook state is unavailable: ${path}: ${failureReason(cause)}`, {
    code: "E_HOOK_STATE",
    hint: "Repair or remove the file, then run: roborev daemon restart",
    cause,
  });

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
