import { realpath } from "node:fs/promises";
import { failureReason, RoborevError } from "../../lib/errors.ts";
import { readCapabilities } from "./capabilities.ts";
import { makeCell, placedPrompt } from "./cell.ts";
import { reviewerEnvironment } from "./environment.ts";
import type { Reviewer, ReviewerRun } from "./reviewer.ts";

/** All that a process is started with. Disposed of when it has ended. */
export interface PreparedRun extends AsyncDisposable {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  stdin: string;
}

/** Throws a RoborevError for what keeps the program from running at all. */
export async function prepareRun(reviewer: Reviewer, given: ReviewerRun): Promise<PreparedRun> {
  // Codex compares the project that it must not trust with the real path.
  const run: ReviewerRun = { ...given, cwd: await realDirectory(given.cwd) };
  const base = reviewerEnvironment(run.env, run);
  const capabilities = await readCapabilities(reviewer, run.command, base, run.agentic);
  const isolation = run.agentic === true ? undefined : reviewer.isolation;
  await using stack = new AsyncDisposableStack();
  const isWanted = isolation?.cell !== undefined || reviewer.promptFile !== undefined;
  const cell = isWanted ? stack.use(await makeCell(run.scratchDirectory)) : undefined;
  const task: ReviewerRun = cell ? { ...run, cell: cell.path } : run;
  const isPlaced = cell !== undefined && isolation?.cell !== undefined;
  const cwd = isPlaced ? cell.path : run.cwd;
  const prompt = isPlaced ? placedPrompt(run.prompt, run.cwd) : run.prompt;
  await cell?.write({
    ...isolation?.cell?.(task, capabilities),
    ...(reviewer.promptFile === undefined ? {} : { [reviewer.promptFile]: prompt }),
  });
  const argv = [...run.command, ...reviewer.argv(task, capabilities)];
  const env = {
    ...reviewer.environment({ ...base, PWD: cwd }, task, capabilities),
    ...isolation?.variables,
    ...run.variables,
  };
  const kept = stack.move();
  return { argv, env, cwd, stdin: prompt, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function realDirectory(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw new RoborevError(`cannot enter ${path}: ${failureReason(cause)}`, { code: "E_CHECKOUT", cause });
  }
}
