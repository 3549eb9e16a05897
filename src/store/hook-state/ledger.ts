import type { Clock } from "../../lib/clock.ts";
import { RoborevError } from "../../lib/errors.ts";
import type { HookState, StagedState } from "../../reminder/state.ts";
import type { HookStateFiles } from "./hook-state.ts";
import { applyBatch } from "./journal.ts";
import { SnapshotSchedule } from "./snapshot-schedule.ts";
import { Staged } from "./staged.ts";

interface Waiting {
  run(staged: Staged): void;
  settle(failure?: unknown): void;
}

/** Events that were decided, and what they leave. */
interface Batch {
  staged: Staged;
  decided: Pick<Waiting, "settle">[];
}

/**
 * Serialises the events that change the reminder state. All that wait are decided in order on a staged copy and
 * written as one batch; only when that is on disk is it published and each event answered. A failed write drops
 * the copy and fails every event of the batch: nothing was consumed.
 */
export class HookLedger {
  private readonly waiting: Waiting[] = [];
  /** Steps of a snapshot, which go before the events that wait. */
  private readonly steps: (() => Promise<void>)[] = [];
  private readonly snapshots: SnapshotSchedule;
  private working = false;
  private closed = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly files: HookStateFiles,
    private readonly state: HookState,
    clock: Clock,
    onError: (error: unknown) => void,
  ) {
    this.snapshots = new SnapshotSchedule({
      clock,
      isOverdue: () => files.isJournalLong,
      begin: () => files.beginSnapshot(state),
      alone: (step) => this.alone(step),
      onError,
    });
  }

  /** The published state. Callers must not change it. */
  get published(): Readonly<HookState> {
    return this.state;
  }

  /**
   * Runs `work` on the staged state; resolves with its result once its changes, if any, are on disk. Rows are never
   * changed, only replaced: what was put may be published and in a snapshot already.
   */
  transact<T>(work: (staged: StagedState) => T): Promise<T> {
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
  private transactAlone<T>(work: (staged: StagedState) => T): Promise<T> {
    const staged = new Staged(this.state);
    let result: T;
    try {
      result = work(staged);
    } catch (error) {
      return Promise.reject(error);
    }
    if (!staged.hasChanges) {
      this.snapshots.tick(); // one may have failed
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
    if (this.working) await new Promise<void>((resolve) => this.idle.push(resolve));
    await this.snapshots.close();
    await this.files.close();
  }

  /** Runs a step between two batches. */
  private alone<T>(step: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.steps.push(() => step().then(resolve, reject));
      void this.work();
    });
  }

  /** Writes `first`, then takes the steps and decides and writes the events that wait. */
  private async work(first?: Batch): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      if (first !== undefined) await this.commit(first);
      for (;;) {
        const step = this.steps.shift();
        if (step !== undefined) await step();
        else if (this.waiting.length > 0) await this.commit(this.decide(this.waiting.splice(0)));
        else break;
        this.snapshots.tick(); // under load there is always somebody waiting
      }
    } finally {
      this.working = false;
      for (const resolve of this.idle.splice(0)) resolve();
    }
    this.snapshots.tick();
  }

  private decide(waiting: Waiting[]): Batch {
    const staged = new Staged(this.state);
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
      const { batch } = staged;
      try {
        await this.files.append(batch);
      } catch (error) {
        for (const event of decided) event.settle(error);
        return;
      }
      applyBatch(this.state, batch);
      this.snapshots.markDirty();
    }
    for (const event of decided) event.settle();
  }
}
