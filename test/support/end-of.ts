export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** What a process printed and how it ended. */
export async function endOf(child: Bun.Subprocess<"ignore" | "pipe" | Blob, "pipe", "pipe">): Promise<Ended> {
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
