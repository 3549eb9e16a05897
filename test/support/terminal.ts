export interface TerminalOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  columns?: number;
  /** Called with all that was shown so far, whenever there is more. */
  onText?(text: string): void;
  /** Keys that are typed again and again until it ends: there is no telling when a program begins to listen. */
  keys?: string;
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
      data(_, bytes) {
        text += decoder.decode(bytes, { stream: true });
        options.onText?.(text);
      },
    },
  });
  const { keys } = options;
  const typing = keys === undefined ? undefined : setInterval(() => child.terminal?.write(keys), 50);
  const code = await child.exited;
  clearInterval(typing);
  child.terminal?.close();
  return { code, text };
}
