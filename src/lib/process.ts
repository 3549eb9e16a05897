import { RoborevError } from "./errors.ts";

export interface RunOptions {
  cwd?: string;
  /** Whole environment of the child; the default is ours. */
  env?: Record<string, string | undefined>;
  stdin?: string | Uint8Array;
  /** The child's process group is killed after this long. Default 30 s. */
  timeoutMs?: number;
  /** Whoever has to tidy up is asked to end first (SIGTERM), and killed after so long. Default 0: killed at once. */
  graceMs?: number;
  /** Reading stops, and the child is killed, after this many bytes of standard output. Default 64 MiB. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface RunResult {
  /** 128 + signal number when killed by a signal, as shells count. */
  exitCode: number;
  stdout: Uint8Array;
  stderr: string;
  timedOut: boolean;
  truncated: boolean;
}

/** SIGKILL (or `signal`) to a whole process group; a group that is gone is fine. */
export function killGroup(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group is gone already, which is what was asked for.
  }
}

/** Runs argv without a shell in its own process group and collects its output. Throws only if it cannot be started. */
export async function runProcess(argv: string[], options: RunOptions = {}): Promise<RunResult> {
  const child = startProcess(
    argv,
    options,
    options.stdin === undefined ? "ignore" : new Blob([options.stdin as string]),
  );
  let timedOut = false;
  let truncated = false;
  let grace: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    if (!options.graceMs) return killGroup(child.pid);
    killGroup(child.pid, "SIGTERM");
    grace ??= setTimeout(() => killGroup(child.pid), options.graceMs);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, options.timeoutMs ?? 30_000);
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted) stop();
  try {
    const [stdout, stderr, exitCode] = await Promise.all([
      collect(child.stdout, options.maxBytes ?? 64 * 1024 * 1024, () => {
        truncated = true;
        stop();
      }),
      collect(child.stderr, 64 * 1024, () => {}),
      child.exited,
    ]);
    return { exitCode, stdout, stderr: new TextDecoder().decode(stderr), timedOut, truncated };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    options.signal?.removeEventListener("abort", stop);
  }
}

/**
 * Asks a program that answers as long as its standard input is open: writes `input`, returns what it printed as soon as
 * `isAnswered`, or undefined when it ends or `timeoutMs` pass before. Its process group is ended in any case.
 */
export async function askProcess(
  argv: string[],
  input: string,
  isAnswered: (stdout: string) => boolean,
  options: RunOptions & { timeoutMs: number },
): Promise<string | undefined> {
  const child = startProcess(argv, options, "pipe");
  const stop = () => killGroup(child.pid);
  const timer = setTimeout(stop, options.timeoutMs);
  try {
    void collect(child.stderr, 0, () => {}); // so that it never waits for a reader
    await give(child.stdin, input);
    const decoder = new TextDecoder();
    let stdout = "";
    for await (const chunk of child.stdout) {
      stdout += decoder.decode(chunk, { stream: true });
      if (isAnswered(stdout)) return stdout;
      if (stdout.length > (options.maxBytes ?? 1024 * 1024)) return undefined;
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    killGroup(child.pid, "SIGTERM");
    const grace = setTimeout(stop, 1_000);
    await child.exited;
    clearTimeout(grace);
  }
}

async function give(stdin: Bun.FileSink, input: string): Promise<void> {
  try {
    await stdin.write(input);
    await stdin.flush();
  } catch {
    // A program that is gone takes no input; its closed output says the rest.
  }
}

/** For the few questions that must be answered before anything else happens; undefined unless it exits with 0 within 2 s. */
export function runProcessSync(argv: string[]): string | undefined {
  try {
    const run = Bun.spawnSync(argv, { stdin: "ignore", stdout: "pipe", stderr: "ignore", timeout: 2_000 });
    return run.exitCode === 0 ? run.stdout.toString() : undefined;
  } catch {
    return undefined; // no such program on this system
  }
}

function startProcess<In extends "ignore" | "pipe" | Blob>(argv: string[], options: RunOptions, stdin: In) {
  try {
    return Bun.spawn(argv, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env ?? process.env,
      stdin,
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (cause) {
    throw new RoborevError(`cannot start ${argv[0]}: ${cause instanceof Error ? cause.message : cause}`, {
      code: "E_SPAWN",
      cause,
    });
  }
}

/** Reads up to `max` bytes, calls `onFull` once beyond it, and drains the rest so that the child never blocks. */
async function collect(stream: ReadableStream<Uint8Array>, max: number, onFull: () => void) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const room = max - size;
    if (room > 0) chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += Math.min(chunk.length, room);
    if (chunk.length > room) onFull();
  }
  return Buffer.concat(chunks);
}

/** Runs argv on our own terminal (an editor) and resolves to its exit status. Throws only if it cannot be started. */
export async function runAttached(argv: string[], options: { cwd?: string } = {}): Promise<number> {
  try {
    return await Bun.spawn(argv, { ...options, stdin: "inherit", stdout: "inherit", stderr: "inherit" })
      .exited;
  } catch (cause) {
    throw new RoborevError(`cannot start ${argv[0]}: ${cause instanceof Error ? cause.message : cause}`, {
      code: "E_SPAWN",
      cause,
    });
  }
}
