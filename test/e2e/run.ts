export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a program in a process group of its own, which is ended with it. */
export async function runToEnd(
  argv: string[],
  cwd: string,
  env: Record<string, string>,
  limitMs: number,
): Promise<Ran> {
  const child = Bun.spawn(argv, {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  const endGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  const limit = setTimeout(() => endGroup("SIGKILL"), limitMs);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(limit);
  endGroup("SIGTERM");
  return { exitCode, stdout, stderr };
}
