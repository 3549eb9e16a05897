export interface TerminalOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  columns?: number;
  /** Called with all that was shown so far, whenever there is more; what it returns is typed. */
  onText?(text: string): string | undefined;
}

/** Runs a program to its end on a terminal of its own, which is all three of its streams, and tells what it showed. */
export async function onTerminal(
  argv: string[],
  options: TerminalOptions = {},
): Promise<{ code: number; text: string }> {
  let text = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn(argv, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    terminal: {
      cols: options.columns ?? 80,
      rows: 24,
      data(terminal, bytes) {
        text += decoder.decode(bytes, { stream: true });
        const typed = options.onText?.(text);
        if (typed !== undefined) terminal.write(typed);
      },
    },
  });
  const code = await child.exited;
  child.terminal?.close();
  return { code, text };
}
