import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { removeLeftTemps } from "../../fs/left-temps.ts";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import { systemClock } from "../../lib/clock.ts";
import { errorCode, failureReason, RoborevError } from "../../lib/errors.ts";
import type { HookState } from "../../reminder/state.ts";
import { applyBatch, batchLine, continuationOf, generationLine, type JournalBatch } from "./journal.ts";
import { JournalFile } from "./journal-file.ts";
import { parseSnapshot, type Snapshot } from "./snapshot.ts";
import { SnapshotText } from "./snapshot-text.ts";

export interface HookStatePaths {
  hookDir: string;
  hookState: string;
  hookJournal: string;
}

export interface OpenedHookState {
  files: HookStateFiles;
  state: HookState;
  damage?: RoborevError;
}

/** A snapshot between its beginning and its end. Batches may be appended while it is written. */
export interface PendingSnapshot {
  write(): Promise<SnapshotCost>;
  /** The journal starts again behind the snapshot that was written. Not while anything is appended. */
  finish(): Promise<void>;
}

export interface SnapshotCost {
  bytes: number;
  /** How long the event loop was held up, all in all. */
  blockedMs: number;
}

const shortJournalBytes = 1024 * 1024;

/**
 * The files behind the reminder state. A batch that was appended is on disk; the snapshot is the documented file and
 * makes the journal short again. At any moment the journal names the snapshot that is there, and below that stands
 * everything that is not in it: so a crash loses nothing, whichever of two snapshots it leaves.
 */
export class HookStateFiles {
  /** What turns rows into text, and counts them. */
  readonly text = new SnapshotText();
  private readonly journal: JournalFile;
  /** Lines below the name of a snapshot that is being written. */
  private sinceBegin: string[] | undefined;

  private constructor(
    private readonly paths: HookStatePaths,
    private snapshotBytes: number,
  ) {
    this.journal = new JournalFile(paths.hookJournal);
  }

  /**
   * Reads snapshot and journal. Throws `E_HOOK_STATE`, touching neither file, when the snapshot is unreadable. `damage`:
   * the journal was not whole; it is kept aside, and what stood behind the damage is not in the state.
   */
  static async open(paths: HookStatePaths): Promise<OpenedHookState> {
    await ensurePrivateDirectory(paths.hookDir);
    const bytes = await readBytes(paths.hookState);
    const snapshot = bytes === undefined ? undefined : parse(paths.hookState, bytes);
    for (const path of [paths.hookState, paths.hookJournal])
      await removeLeftTemps(path).catch(() => undefined); // nobody reads them: they only take room
    const files = new HookStateFiles(paths, bytes?.length ?? 0);
    const state = snapshot?.state ?? { sessions: new Map(), fixSessions: new Map(), deliveries: new Map() };
    // Without a readable snapshot of its generation a journal says nothing: whoever removed state.json meant it.
    const generation = snapshot?.generation ?? "";
    const journal = generation === "" ? undefined : await readBytes(paths.hookJournal);
    const { batches, damagedAt } =
      journal === undefined ? { batches: [] } : continuationOf(generation, journal);
    const damage =
      journal === undefined || damagedAt === undefined
        ? undefined
        : await keepDamaged(paths.hookJournal, journal, damagedAt);
    for (const batch of batches) applyBatch(state, batch);
    if (generation === "" || batches.length > 0) {
      const first = files.pending({ generation: crypto.randomUUID(), state });
      await first.write();
      await first.finish();
    } else await files.journal.restart(generationLine(generation));
    return { files, state, ...(damage === undefined ? {} : { damage }) };
  }

  /** Appends a batch and waits until it is on disk. A failure leaves the journal as it was. */
  async append(batch: JournalBatch): Promise<void> {
    const line = batchLine(batch);
    await this.journal.append(line, this.sinceBegin !== undefined);
    this.sinceBegin?.push(line);
  }

  /** Whether the journal has grown so long that a snapshot is due at once. */
  get isJournalLong(): boolean {
    return this.journal.bytes >= Math.max(shortJournalBytes, this.snapshotBytes);
  }

  /** Begins a snapshot of the state as it stands. Not while anything is appended. */
  async beginSnapshot(state: HookState): Promise<PendingSnapshot> {
    const generation = crypto.randomUUID();
    await this.journal.append(generationLine(generation));
    const { sessions, fixSessions, deliveries } = state;
    const frozen = {
      sessions: new Map(sessions),
      fixSessions: new Map(fixSessions),
      deliveries: new Map(deliveries),
    };
    return this.pending({ generation, state: frozen });
  }

  async close(): Promise<void> {
    await this.journal.close();
  }

  private pending(snapshot: Snapshot): PendingSnapshot {
    const since: string[] = [];
    this.sinceBegin = since;
    return {
      write: async () => {
        const cost = { bytes: 0, blockedMs: 0 };
        try {
          await writeFileAtomic(this.paths.hookState, encoded(this.text.chunks(snapshot), cost));
        } catch (error) {
          this.sinceBegin = undefined;
          throw error;
        }
        this.snapshotBytes = cost.bytes;
        return cost;
      },
      finish: async () => {
        this.sinceBegin = undefined;
        await this.journal.restart([generationLine(snapshot.generation), ...since].join(""));
      },
    };
  }
}

function* encoded(chunks: Iterator<string, void>, cost: SnapshotCost): Generator<Uint8Array> {
  for (;;) {
    const startMs = performance.now();
    const { value } = chunks.next();
    if (value === undefined) return;
    const bytes = Buffer.from(value);
    cost.blockedMs += performance.now() - startMs;
    cost.bytes += bytes.length;
    yield bytes;
  }
}

/** Undefined: there is no such file. */
async function readBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
}

async function keepDamaged(path: string, journal: Uint8Array, damagedAt: number): Promise<RoborevError> {
  const aside = `${path}.damaged-${systemClock.now().toISOString().replace(/[:.]/g, "-")}`;
  await writeFileAtomic(aside, journal);
  const dropped = `its last ${journal.length - damagedAt} bytes were dropped`;
  return new RoborevError(
    `${path} was damaged at byte ${damagedAt}: ${dropped}, and the whole file kept as ${aside}`,
    { code: "E_HOOK_JOURNAL" },
  );
}

function parse(path: string, bytes: Uint8Array): Snapshot {
  try {
    return parseSnapshot(new TextDecoder().decode(bytes));
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
