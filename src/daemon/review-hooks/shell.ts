import { failureReason, RoborevError } from "../../lib/errors.ts";
import { killGroup } from "../../lib/process.ts";
import { drain, spawnGroup, terminate, within } from "../../review/agents/child.ts";
import { OutputTail } from "../../review/agents/output-tail.ts";

// The one place where a text of the user is given to a shell: the command of a review hook.

export interface ShellRun {
  command: string;
  cwd: string;
  env: Record<string, string>;
  stdin: string;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ShellEnd {
  end: "exited" | "timeout" | "stopped";
  /** Status, or the name of the signal that ended it. */
  exit: number | string;
  /** The end of what it printed, on either stream. */
  output: string;
  durationMs: number;
}

const outputTailBytes = 1024;
const graceMs = 1_000;
const running = new Set<number>();

/**
 * Runs a command line in a process group of its own, until it and everything that holds its output has ended; at the
 * latest when the time is over, or at the signal, the group is ended. Rejects only if it cannot be started.
 */
export async function runShell(run: ShellRun): Promise<ShellEnd> {
  const startedAt = performance.now();
  const child = spawn(run);
  running.add(child.pid);
  const tail = new OutputTail(outputTailBytes);
  const stdout = drain(child.stdout, (chunk) => tail.feed(chunk));
  const stderr = drain(child.stderr, (chunk) => tail.feed(chunk));
  const all = Promise.all([stdout.done, stderr.done, child.exited]);
  const stopped = Promise.withResolvers<"timeout" | "stopped">();
  const onAbort = () => stopped.resolve("stopped");
  run.signal.addEventListener("abort", onAbort, { once: true });
  if (run.signal.aborted) onAbort();
  const timer = setTimeout(() => stopped.resolve("timeout"), run.timeoutMs);
  try {
    const end = await Promise.race([all.then(() => "exited" as const), stopped.promise]);
    if (end !== "exited") {
      await terminate(child, graceMs);
      await within(all, graceMs); // whoever left the group may hold the pipes for ever
    }
    return {
      end,
      exit: child.exitCode ?? child.signalCode ?? "unknown",
      output: tail.toString().trim(),
      durationMs: Math.round(performance.now() - startedAt),
    };
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", onAbort);
    running.delete(child.pid);
    await Promise.all([stdout.cancel(), stderr.cancel()]);
  }
}

/** Ends every command at once, without waiting; for a process that is ending. */
export function killShells(): void {
  for (const pid of running) killGroup(pid);
}

function spawn(run: ShellRun) {
  try {
    return spawnGroup(["/bin/sh", "-c", run.command], run);
  } catch (cause) {
    throw new RoborevError(`cannot start a shell in ${run.cwd}: ${failureReason(cause)}`, {
      code: "E_SPAWN",
      cause,
    });
  }
}
