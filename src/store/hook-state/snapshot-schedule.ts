import type { Clock } from "../../lib/clock.ts";
import type { PendingSnapshot, SnapshotCost } from "./hook-state.ts";

interface SnapshotSource {
  clock: Clock;
  /** Whether it is worth a snapshot at once, however soon after the last one. */
  isOverdue(): boolean;
  begin(): Promise<PendingSnapshot>;
  /** Runs a step while no batch is appended. */
  alone<T>(step: () => Promise<T>): Promise<T>;
  onError(error: unknown): void;
}

/**
 * Rest after a snapshot: at least a second, 49 parts to one that held up the event loop, and as long as it takes to
 * stay below a MiB a second on the disk.
 */
const restMs = ({ bytes, blockedMs }: SnapshotCost): number =>
  Math.max(1000, 49 * blockedMs, (bytes / 1024 / 1024) * 1000);

/** Decides when `state.json` is written anew. One that fails is tried again later: the journal holds everything meanwhile. */
export class SnapshotSchedule {
  private dirty = false;
  private closed = false;
  private hasFailed = false;
  private notBeforeMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly source: SnapshotSource) {
    this.notBeforeMs = source.clock.monotonicMs() + restMs({ bytes: 0, blockedMs: 0 });
  }

  /** The published state is another one now. */
  markDirty(): void {
    this.dirty = true;
  }

  /** To be called after every event: begins a snapshot that is due, or sees to it that one will begin. */
  tick(): void {
    if (!this.dirty || this.closed || this.running) return;
    const isOverdue = this.source.isOverdue() && !this.hasFailed;
    const waitMs = isOverdue ? 0 : this.notBeforeMs - this.source.clock.monotonicMs();
    if (waitMs <= 0) this.running = this.write();
    else this.timer ??= this.wakeIn(waitMs);
  }

  /** Finishes a snapshot that is under way and writes the last one. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
    if (this.dirty) await this.write();
  }

  private wakeIn(waitMs: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.timer = undefined;
      this.tick();
    }, waitMs);
    timer.unref();
    return timer;
  }

  private async write(): Promise<void> {
    const { clock, alone, begin, onError } = this.source;
    let cost: SnapshotCost = { bytes: 0, blockedMs: 0 };
    try {
      await new Promise(setImmediate); // the event that made it due is answered first
      const snapshot = await alone(() => {
        this.dirty = false;
        return begin();
      });
      cost = await snapshot.write();
      await alone(() => snapshot.finish());
      this.hasFailed = false;
    } catch (error) {
      this.dirty = true;
      this.hasFailed = true;
      onError(error);
    }
    this.notBeforeMs = clock.monotonicMs() + restMs(cost);
    this.running = undefined;
    if (!this.hasFailed) this.tick(); // else with the next event
  }
}
