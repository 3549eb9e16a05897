import { killGroup } from "../../lib/process.ts";
import { descendantsOf, killRemaining } from "./process-identity.ts";

// What whoever runs a program of others needs: to start it, to read what it prints to the end,
// and to end all of it.

const defaultGraceMs = 5_000;

/** Starts a program in a process group of its own, with a text on its standard input. Throws what `Bun.spawn` throws. */
export function spawnGroup(
  argv: string[],
  { cwd, env, stdin }: { cwd: string; env: Record<string, string | undefined>; stdin: string },
) {
  return Bun.spawn(argv, {
    cwd,
    env,
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
}

/** SIGTERM to the group, SIGKILL to whatever of it, and of its descendants elsewhere, is left. */
export async function terminate(
  child: Pick<Bun.Subprocess, "pid" | "exited">,
  graceMs = defaultGraceMs,
): Promise<void> {
  const descendants = descendantsOf(child.pid);
  killGroup(child.pid, "SIGTERM");
  await within(child.exited, graceMs);
  killGroup(child.pid);
  killRemaining(descendants);
  // A process that hangs in the kernel dies when it comes back; nobody waits for that.
  await within(child.exited, graceMs);
}

/** Waits for a promise, but not longer than this. */
export async function within(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a stream until it ends or is given up. */
export function drain(stream: ReadableStream<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  const reader = stream.getReader();
  const done = (async () => {
    for (;;) {
      const { done: atEnd, value } = await reader.read();
      if (atEnd) return;
      onChunk(value);
    }
  })();
  return { done, cancel: () => reader.cancel() };
}
