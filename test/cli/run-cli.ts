import type { World } from "../../src/cli/command.ts";
import type { Group } from "../../src/cli/node.ts";
import { runMain } from "../../src/cli/run-main.ts";
import { runAttached } from "../../src/lib/process.ts";

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  stdin?: string;
  /** Standard input is a terminal. */
  atTerminal?: boolean;
  confirm?: boolean | ((question: string) => boolean);
  signal?: AbortSignal;
  now?: Date;
  root?: Group;
  program?: World["program"];
  /** Standard output is a terminal. */
  terminal?: boolean;
  /** Gets the standard output so far, whenever there is more of it. */
  onOutput?(stdout: string): void;
}

/** Runs a command in this process with streams of its own. */
export async function runCli(argv: string[], options: CliOptions = {}): Promise<CliResult> {
  const result = { code: 0, stdout: "", stderr: "" };
  const world: World = {
    env: { ...process.env, USER: "tester", ...options.env },
    cwd: () => options.cwd ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
    stdin: { isTerminal: options.atTerminal === true, text: async () => options.stdin ?? "" },
    confirm: (question) =>
      typeof options.confirm === "function" ? options.confirm(question) : options.confirm,
    runAttached,
    self: [process.execPath, "src/main.ts"],
    program: options.program ?? { version: "dev", platform: undefined, path: process.execPath },
    now: () => options.now ?? new Date(),
  };
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      result[name] += text;
      if (name === "stdout") options.onOutput?.(result.stdout);
    },
    isTerminal: name === "stdout" && options.terminal === true,
  });
  const streams = { stdout: sink("stdout"), stderr: sink("stderr") };
  result.code = await runMain(argv, world, streams, ...(options.root ? [options.root] : []));
  return result;
}
