import { RoborevError } from "../lib/errors.ts";

/** Exit status of a program that a signal ended, as shells count. */
const statuses = { SIGTERM: 143, SIGHUP: 129 } as const;

/** A signal that is aborted by an interrupt, and by what else asks this process to end: a closed terminal, `kill`. */
export function endSignals(interrupt: AbortSignal): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onInterrupt = () => controller.abort(interrupt.reason);
  if (interrupt.aborted) onInterrupt();
  interrupt.addEventListener("abort", onInterrupt, { once: true });
  const handlers = Object.entries(statuses).map(([name, exitCode]) => {
    const handler = () =>
      controller.abort(new RoborevError(`ended by ${name}`, { code: "E_ENDED", exitCode }));
    process.on(name, handler);
    return { name, handler };
  });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      interrupt.removeEventListener("abort", onInterrupt);
      for (const { name, handler } of handlers) process.removeListener(name, handler);
    },
  };
}
