/** Whoever wants the daemon to stop says it here: a client, a signal, an interrupt at the terminal. */
export class StopRequest implements Disposable {
  private readonly asking = Promise.withResolvers<string>();
  private readonly hurrying = Promise.withResolvers<void>();
  private signals = 0;

  /** Resolves with who asked, once. */
  readonly asked = this.asking.promise;
  /** Resolves when a second signal says that the stop itself takes too long. */
  readonly hurried = this.hurrying.promise;

  /** Listens from now on, so that a signal during the start is not lost. `interrupt`: Ctrl-C, which the CLI watches. */
  constructor(interrupt: AbortSignal) {
    process.on("SIGTERM", this.onSignal);
    process.on("SIGHUP", this.onSignal);
    if (interrupt.aborted) this.onSignal("SIGINT");
    else interrupt.addEventListener("abort", () => this.onSignal("SIGINT"), { once: true });
  }

  ask(who: string): void {
    this.asking.resolve(who);
  }

  [Symbol.dispose](): void {
    process.off("SIGTERM", this.onSignal);
    process.off("SIGHUP", this.onSignal);
  }

  private readonly onSignal = (signal: string): void => {
    if (++this.signals > 1) this.hurrying.resolve();
    this.ask(signal);
  };
}
