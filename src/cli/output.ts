import { fstatSync, writeSync } from "node:fs";
import { errorCode, errorMessage, failureReason, RoborevError } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";
import { singleLine } from "../lib/text.ts";
import { createLiveLine } from "./live-line.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow";

const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

export interface Sink {
  write(text: string): void;
  /** Writes at once and waits until it is taken; false when nobody takes anything any more. */
  send?(data: string | Uint8Array): Promise<boolean>;
  isTerminal: boolean;
  /** Width of the terminal, as it is now. */
  columns?(): number;
}

/** Where everything that a command says goes: data to standard output, messages to standard error. */
export interface Output extends Disposable {
  /** Data, one or more lines. */
  print(text: string): void;
  /** Data that comes bit by bit, one line at a time; false when nobody reads it any more. */
  send(line: string): Promise<boolean>;
  /** The same in pieces that may end anywhere; bytes stay what they are. */
  pass(piece: string | Uint8Array): Promise<boolean>;
  /** Whether standard output is one. */
  isTerminal: boolean;
  /** Data as JSON, indented by two spaces. */
  json(value: unknown): void;
  /** A message for the person at the terminal. */
  note(text: string): void;
  /** A message that only `--verbose` shows. */
  detail(text: string): void;
  /** Says on a terminal what is waited for, until disposed of; nothing elsewhere, and nothing if it is over soon. */
  waiting(what: string): Disposable;
  /** Colours `text` for standard output, if that may be coloured. */
  paint(style: Style, text: string): string;
}

/** Whether a stream may carry colour: told not to, told to, a dumb terminal, else only on a terminal. */
export function mayColour(env: Record<string, string | undefined>, isTerminal: boolean): boolean {
  if (env.NO_COLOR || env.ROBOREV_COLOR_MODE === "none") return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTerminal && env.TERM !== "dumb";
}

export interface OutputOptions {
  stdout: Sink;
  stderr: Sink;
  env: Record<string, string | undefined>;
  verbose: boolean;
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr } = options;
  const colour = mayColour(options.env, stdout.isTerminal);
  const decoder = new TextDecoder();
  const canDraw = stderr.isTerminal && options.env.TERM !== "dumb";
  const live = createLiveLine(
    canDraw ? { write: stderr.write, columns: stderr.columns ?? (() => 80) } : undefined,
  );
  const say = (sink: Sink, text: string) => {
    live.hide();
    sink.write(text);
  };
  const pass = async (piece: string | Uint8Array) => {
    live.hide();
    if (stdout.send) return await stdout.send(piece);
    stdout.write(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    return true;
  };
  return {
    print: (text) => say(stdout, `${text}\n`),
    send: (line) => pass(`${line}\n`),
    pass,
    isTerminal: stdout.isTerminal,
    json: (value) => say(stdout, `${JSON.stringify(value, null, 2)}\n`),
    note: (text) => say(stderr, `${text}\n`),
    detail: (text) => {
      if (options.verbose) say(stderr, `${text}\n`);
    },
    waiting: live.show,
    [Symbol.dispose]: live[Symbol.dispose],
    paint: (style, text) => (colour ? `\x1b[${codes[style][0]}m${text}\x1b[${codes[style][1]}m` : text),
  };
}

/** Messages end up in transcripts and issues. */
const messageOf = (error: unknown): string =>
  singleLine(redactSecrets(errorMessage(error))) || "unknown failure";

/** The one line that says what went wrong and what to do about it. */
export function errorLine(error: unknown): string {
  const message = messageOf(error);
  const hint = error instanceof RoborevError && error.hint ? singleLine(redactSecrets(error.hint)) : "";
  if (hint === "") return `Error: ${message}`;
  return `Error: ${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
}

/** The same for programs. */
export function errorBody(error: unknown): { error: { code: string; message: string; hint?: string } } {
  const known = error instanceof RoborevError;
  return {
    error: {
      code: known ? error.code : "E_INTERNAL",
      message: messageOf(error),
      ...(known && error.hint ? { hint: redactSecrets(error.hint) } : {}),
    },
  };
}

/**
 * The process's own streams. `console` writes synchronously and shrugs off a closed pipe, where
 * `process.stdout` throws EPIPE later and loses what is still buffered when the process exits (measured, Bun 1.4.5).
 */
export function processSinks(): { stdout: Sink; stderr: Sink } {
  const line = (write: (text: string) => void) => (text: string) => {
    // console adds the line end that every one of our writes carries.
    write(text.endsWith("\n") ? text.slice(0, -1) : text);
  };
  const isTerminal = process.stdout.isTTY === true;
  const write = !isTerminal && isStored(1) ? fileWriter(1) : line((text) => console.log(text));
  const isErrorTerminal = process.stderr.isTTY === true;
  return {
    stdout: { write, isTerminal, send: sender() },
    stderr: {
      write: isErrorTerminal ? terminalWriter(2) : line((text) => console.error(text)),
      isTerminal: isErrorTerminal,
      columns: () => process.stderr.columns || 80,
    },
  };
}

/**
 * On a terminal `console.error` prints in red, whatever NO_COLOR and TERM say (Bun 1.4.5), and our messages are no errors
 * most of the time. A terminal that is gone takes nothing, which nobody can be told; one that is busy is given time.
 */
function terminalWriter(fd: number): (text: string) => void {
  return (text) => {
    const bytes = Buffer.from(text);
    for (let at = 0, waits = 0; at < bytes.length; ) {
      try {
        at += writeSync(fd, bytes, at);
      } catch (error) {
        if (errorCode(error) !== "EAGAIN" || ++waits > 500) return;
        Bun.sleepSync(2);
      }
    }
  };
}

/** Whether what is written goes to a file or a device, where a write can fail for good and never has to wait. */
function isStored(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || stat.isCharacterDevice();
  } catch {
    return false; // closed: there is nobody to tell
  }
}

/** `console` loses what a full disk does not take and says nothing; this says it, once. */
function fileWriter(fd: number): (text: string) => void {
  let isBroken = false;
  return (text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; !isBroken && at < bytes.length; ) {
      try {
        at += writeSync(fd, bytes, at);
      } catch (cause) {
        isBroken = true; // the report of this failure, with --json, is written here as well
        throw unwritable(cause);
      }
    }
  };
}

/**
 * For a stream without end: `console` would go on for ever after its reader has gone. It neither blocks, as writing to a
 * full pipe by `writeSync` would, so that an interrupt is heard.
 */
function sender(): (data: string | Uint8Array) => Promise<boolean> {
  let sink: Bun.FileSink | undefined;
  return async (data) => {
    try {
      sink ??= Bun.stdout.writer();
      await sink.write(data);
      await sink.flush();
      return true;
    } catch (cause) {
      if (["EPIPE", "EBADF", "ECONNRESET"].includes(errorCode(cause) ?? "")) return false;
      throw unwritable(cause);
    }
  };
}

const unwritable = (cause: unknown) =>
  new RoborevError(`cannot write to standard output: ${failureReason(cause)}`, { code: "E_WRITE", cause });
