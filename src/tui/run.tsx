import { render } from "ink";
import type { DaemonClient } from "../client/daemon.ts";
import { App } from "./app.tsx";
import { feed } from "./feed.ts";
import { withoutMouse } from "./mouse-input.ts";
import { createPerformer, type TuiWorld } from "./perform.ts";
import { createModelStore } from "./store.ts";
import { type Beginning, begin, update } from "./update/update.ts";

const tickMs = 1000;
const pollMs = 15_000;

export interface TuiOptions extends Omit<TuiWorld, "dispatch" | "writeEscape" | "quit"> {
  client: DaemonClient;
  beginning: Omit<Beginning, "size" | "nowMs">;
  hasMouse: boolean;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  now(): number;
  /** Ends the program. */
  signal: AbortSignal;
}

const mouseOn = "\x1b[?1000h\x1b[?1006h";
const mouseOff = "\x1b[?1006l\x1b[?1000l";

/** The program from its first frame to the key that ends it. The terminal is left as it was, whatever happens. */
export async function runTui(options: TuiOptions): Promise<void> {
  const { stdin, stdout, now, client, beginning, hasMouse } = options;
  const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 };
  const store = createModelStore(begin({ ...beginning, size, nowMs: now() }), update);
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  using input = hasMouse ? withoutMouse(stdin, store.dispatch, now) : undefined;
  const app = render(<App store={store} />, {
    ...{ stdin: input ?? stdin, stdout, exitOnCtrlC: false, patchConsole: true },
    // Ink draws nothing where CI is set, also when it has a terminal (https://github.com/vadimdemedes/ink#interactive).
    ...{ interactive: true, alternateScreen: true, incrementalRendering: true },
  });
  if (hasMouse) stdout.write(mouseOn);
  const { dispatch } = store;
  const perform = createPerformer({
    ...options,
    dispatch,
    writeEscape: (text) => void stdout.write(text),
    quit: () => ended.abort(),
  });
  const timers = [
    setInterval(() => dispatch({ kind: "tick", nowMs: now() }), tickMs),
    setInterval(() => dispatch({ kind: "stale" }), pollMs),
  ];
  signal.addEventListener("abort", () => app.unmount(), { once: true });
  // A terminal that is gone says so here as well.
  const onGone = () => ended.abort();
  stdin.once("end", onGone).once("error", onGone);
  try {
    store.start(perform);
    void feed(client, dispatch, signal);
    await app.waitUntilExit();
  } finally {
    stdin.off("end", onGone).off("error", onGone);
    ended.abort();
    perform({ kind: "leave-log" });
    for (const timer of timers) clearInterval(timer);
    if (hasMouse) stdout.write(mouseOff);
  }
}
