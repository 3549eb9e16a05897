import { waitFor } from "./wait.ts";

/** A program in a real terminal of a certain size. */
export interface Terminal extends AsyncDisposable {
  /** Of the program. */
  pid: number;
  /** Keys as tmux names them; what is not a name is typed. */
  press(...keys: string[]): void;
  resize(columns: number, rows: number): void;
  /** The lines of the screen, without colours. */
  screen(): string[];
  /** The screen once it shows this text, and no longer shows the other one. */
  shows(text: string, without?: string): Promise<string[]>;
}

export const hasTmux = Bun.which("tmux") !== null;

/** Runs a command line in a tmux server of its own, which ends with the scope. */
export function openTerminal(options: {
  command: string;
  cwd: string;
  env: Record<string, string | undefined>;
  columns: number;
  rows: number;
}): Terminal {
  const socket = `roborev-test-${process.pid}-${Bun.randomUUIDv7()}`;
  const tmux = (...args: string[]): string => {
    const run = Bun.spawnSync(["tmux", "-u", "-L", socket, "-f", "/dev/null", ...args], {
      cwd: options.cwd,
      env: options.env,
    });
    if (run.exitCode !== 0) throw new Error(`tmux ${args.join(" ")}: ${run.stderr}`);
    return run.stdout.toString();
  };
  const size = (columns: number, rows: number) => ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size(options.columns, options.rows), `exec ${options.command}`);
  const screen = () =>
    tmux("capture-pane", "-p")
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => line.trimEnd());
  return {
    pid: Number(tmux("display-message", "-p", "#{pane_pid}")),
    press: (...keys) => void tmux("send-keys", ...keys),
    resize: (columns, rows) => void tmux("resize-window", ...size(columns, rows)),
    screen,
    async shows(text, without) {
      let lines: string[] = [];
      const isThere = () => {
        lines = screen();
        const shown = lines.join("\n");
        return shown.includes(text) && (without === undefined || !shown.includes(without));
      };
      try {
        await waitFor(`"${text}" on the screen`, isThere);
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}; it shows\n${lines.join("\n")}`);
      }
      return lines;
    },
    async [Symbol.asyncDispose]() {
      Bun.spawnSync(["tmux", "-L", socket, "kill-server"]);
    },
  };
}
