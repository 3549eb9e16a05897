import { elapsedText } from "../lib/job-text.ts";
import { singleLine } from "../lib/text.ts";

/** A terminal, and what may be drawn on it. */
export interface LiveTerminal {
  write(text: string): void;
  columns(): number;
}

/** The last line of a terminal while something is waited for: what, and for how long. */
export interface LiveLine extends Disposable {
  /** Shows what is waited for, if it takes long enough to wonder, until the result is disposed of. */
  show(what: string): Disposable;
  /** Makes room for what is printed; the line comes back below it. */
  hide(): void;
}

/** Shorter waits show nothing. */
const patienceMs = 400;
const tickMs = 120;
const frames = ["|", "/", "-", "\\"];
const clear = "\r\x1b[K";

/** Without a terminal there is no line, and nothing is ever written. */
export function createLiveLine(terminal: LiveTerminal | undefined, now = () => performance.now()): LiveLine {
  const waits: { what: string; since: number }[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;
  let frame = 0;
  let isDrawn = false;
  let isOver = terminal === undefined;

  const hide = () => {
    if (isDrawn) terminal?.write(clear);
    isDrawn = false;
  };
  const draw = () => {
    const wait = waits.at(-1);
    if (wait === undefined || now() - wait.since < patienceMs) return;
    const text = `${frames[frame++ % frames.length]} ${wait.what} (${elapsedText(now() - wait.since)})`;
    // A line that reaches the last column would wrap, and could not be cleared any more.
    terminal?.write(clear + Bun.sliceAnsi(text, 0, Math.max(1, terminal.columns() - 1)));
    isDrawn = true;
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    hide();
  };
  return {
    hide,
    show(what) {
      if (isOver) return { [Symbol.dispose]() {} };
      const wait = { what: singleLine(what), since: now() };
      waits.push(wait);
      timer ??= setInterval(draw, tickMs);
      return {
        [Symbol.dispose]() {
          const at = waits.indexOf(wait);
          if (at >= 0) waits.splice(at, 1);
          if (waits.length === 0) stop();
        },
      };
    },
    [Symbol.dispose]() {
      isOver = true; // a command that was interrupted may go on for a moment
      waits.length = 0;
      stop();
    },
  };
}
