/** Runs what it is given, a few at a time, in the order of arrival; beyond its bounds it takes nothing. */
export class RunQueue {
  private readonly waiting: (() => Promise<void>)[] = [];
  private readonly running = new Set<Promise<void>>();
  private isStopped = false;

  constructor(private readonly options: { maxRunning: number; maxWaiting: number }) {}

  /** `run` must not reject. false: too many are waiting, or the queue was stopped. */
  add(run: () => Promise<void>): boolean {
    if (this.isStopped || this.waiting.length >= this.options.maxWaiting) return false;
    this.waiting.push(run);
    this.next();
    return true;
  }

  /** Starts no more; resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.waiting.length = 0;
    await Promise.all(this.running);
  }

  private next(): void {
    while (this.running.size < this.options.maxRunning) {
      const run = this.waiting.shift();
      if (!run) return;
      const ended = run().finally(() => {
        this.running.delete(ended);
        this.next();
      });
      this.running.add(ended);
    }
  }
}
