import { ExitCode, RoborevError } from "../lib/errors.ts";
import { runAttached } from "../lib/process.ts";
import { selfCommand } from "../lib/self.ts";
import { runningProgram } from "../update/program.ts";
import type { World } from "./command.ts";
import { processSinks } from "./output.ts";
import { runMain } from "./run-main.ts";

/** Runs the command that `argv` (without the program's own name) asks for; resolves to the exit status. */
export async function main(argv: string[]): Promise<number> {
  const interrupt = new AbortController();
  let attached = false;
  process.on("SIGINT", () => {
    if (attached) return;
    // The second one does not wait for anything to be tidied up.
    if (interrupt.signal.aborted) process.exit(ExitCode.interrupted);
    interrupt.abort();
  });
  const world: World = {
    ...processWorld(interrupt.signal),
    async runAttached(words) {
      attached = true;
      return runAttached(words).finally(() => {
        attached = false;
      });
    },
  };
  return runMain(argv, world, processSinks());
}

function processWorld(signal: AbortSignal): Omit<World, "runAttached"> {
  return {
    env: process.env,
    cwd: currentDirectory,
    signal,
    stdin: { isTerminal: process.stdin.isTTY === true, text: () => Bun.stdin.text() },
    confirm: (question) => (process.stdin.isTTY && process.stderr.isTTY ? confirm(question) : undefined),
    self: selfCommand(),
    program: runningProgram(),
    now: () => new Date(),
  };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new RoborevError("the current directory no longer exists", {
      code: "E_CWD",
      hint: "Change to another one and try again.",
      cause,
    });
  }
}
