import type { Clock } from "../../lib/clock.ts";
import { RoborevError } from "../../lib/errors.ts";
import type { HookState, Session } from "../../reminder/state.ts";
import { applyBatch, type HookStateFiles } from "./hook-state.ts";

/** What one event sees and changes: the committed state and, on top of it, what earlier events of its batch did. */
export interface StagedSessions {
  get(key: string): Session | undefined;
  keys(): string[];
  put(key: string, session: Session): void;
  forget(key: string): void;
}

interface Waiting {
  run(staged: Overlay): void;
  settle(failure?: unknown): void;
}

/** Events that were decided, and what they leave. */
interface Batch {
  staged: Overlay;
  decided: Pick<Waiting, "settle">[];
}

const snapshotIntervalMs = 1000;

/**
 * Serialises the events that change the reminder state. All that wait are decided in order on a staged copy and
 * written as one batch; only when that is on disk is it published and each event answered. A failed write drops
 * the copy and fails every event of the batch: nothing was consumed.
 */
export class HookLedger {
  private readonly waiting: Waiting[] = [];
  private working = false;
  private dirty = false;
  private closed = false;
  private lastSnapshotMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private idle: (() => void)[] = [];

  constructor(
    private readonly files: HookStateFiles,
    private readonly state: HookState,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    this.lastSnapshotMs = clock.monotonicMs();
  }

  /** The published state. Callers must not change it. */
  get published(): Readonly<HookState> {
    return this.state;
  }

  /** Runs `work` on the staged state; resolves with its result once its changes, if any, are on disk. */
  transact<T>(work: (staged: StagedSessions) => T): Promise<T> {
    if (this.closed)
      return Promise.reject(new RoborevError("the daemon is stopping", { code: "E_STOPPING" }));
    if (!this.working && this.waiting.length === 0) return this.transactAlone(work);
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.waiting.push({
        run: (staged) => {
          result = work(staged);
        },
        settle: (failure) => (failure === undefined ? resolve(result) : reject(failure)),
      });
      void this.work();
    });
  }

  /** Nobody else is there, as nearly always; and most events change nothing. */
  private transactAlone<T>(work: (staged: StagedSessions) => T): Promise<T> {
    const staged = new Overlay(this.state.sessions);
    let result: T;
    try {
      result = work(staged);
    } catch (error) {
      return Promise.reject(error);
    }
    if (!staged.hasChanges) {
      if (this.dirty && this.timer === undefined) void this.work(); // a snapshot failed
      return Promise.resolve(result);
    }
    return new Promise<T>((resolve, reject) => {
      const settle = (failure?: unknown) => (failure === undefined ? resolve(result) : reject(failure));
      void this.work({ staged, decided: [{ settle }] });
    });
  }

  /** Everything that waits is finished, the snapshot written, the files closed. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.working) await new Promise<void>((resolve) => this.idle.push(resolve));
    if (this.dirty) await this.files.snapshot(this.state).catch(this.onError);
    await this.files.close();
  }

  /** Writes `first`, then decides and writes what waits. */
  private async work(first?: Batch): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      for (let batch = first; ; batch = undefined) {
        if (batch === undefined && this.waiting.length === 0) break;
        await this.commit(batch ?? this.decide(this.waiting.splice(0)));
        if (this.files.isJournalLong) await this.snapshot();
      }
      if (this.dirty && !this.closed) await this.snapshotWhenDue();
    } finally {
      this.working = false;
      for (const resolve of this.idle.splice(0)) resolve();
      if (this.waiting.length > 0) void this.work();
    }
  }

  private decide(waiting: Waiting[]): Batch {
    const staged = new Overlay(this.state.sessions);
    const decided: Waiting[] = [];
    for (const event of waiting) {
      const before = staged.mark();
      try {
        event.run(staged);
        decided.push(event);
      } catch (error) {
        staged.revert(before);
        event.settle(error);
      }
    }
    return { staged, decided };
  }

  private async commit({ staged, decided }: Batch): Promise<void> {
    if (staged.hasChanges) {
      const batch = { sessions: staged.changes };
      try {
        await this.files.append(batch);
      } catch (error) {
        for (const event of decided) event.settle(error);
        return;
      }
      applyBatch(this.state.sessions, batch);
      this.dirty = true;
    }
    for (const event of decided) event.settle();
  }

  private async snapshotWhenDue(): Promise<void> {
    const waitMs = snapshotIntervalMs - (this.clock.monotonicMs() - this.lastSnapshotMs);
    if (waitMs <= 0) return this.snapshot();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.work();
    }, waitMs);
    this.timer.unref();
  }

  /** A snapshot that fails is tried again later: the journal holds everything meanwhile. */
  private async snapshot(): Promise<void> {
    this.lastSnapshotMs = this.clock.monotonicMs();
    try {
      await this.files.snapshot(this.state);
      this.dirty = false;
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Sessions as a batch leaves them, without touching the published ones. */
class Overlay implements StagedSessions {
  private changed = new Map<string, Session | null>();

  constructor(private readonly base: ReadonlyMap<string, Session>) {}

  get hasChanges(): boolean {
    return this.changed.size > 0;
  }

  get changes(): Record<string, Session | null> {
    return Object.fromEntries(this.changed);
  }

  get(key: string): Session | undefined {
    const changed = this.changed.get(key);
    return changed === undefined ? this.base.get(key) : (changed ?? undefined);
  }

  keys(): string[] {
    return [...new Set([...this.base.keys(), ...this.changed.keys()])].filter(
      (key) => this.get(key) !== undefined,
    );
  }

  put(key: string, session: Session): void {
    this.changed.set(key, session);
  }

  forget(key: string): void {
    this.changed.set(key, null);
  }

  mark(): ReadonlyMap<string, Session | null> {
    return new Map(this.changed);
  }

  revert(mark: ReadonlyMap<string, Session | null>): void {
    this.changed = new Map(mark);
  }
}
