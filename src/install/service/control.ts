import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { runProcess } from "../../lib/process.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import type { Environment } from "../options.ts";
import type { Step } from "./service.ts";

/** Stopping a daemon may take 15 s. */
const timeoutMs = 30_000;

/** The steps as a user would type them, without those that may have nothing to do. */
export const byHand = (steps: readonly Step[]): string =>
  steps
    .filter(({ mayFail }) => !mayFail)
    .map(({ argv }) => argv.map(shellWord).join(" "))
    .join(" && ");

/** Runs one step after the other; the first that fails is an error that says what is left to be run by hand. */
export async function runSteps(steps: readonly Step[], env: Environment, left = steps): Promise<void> {
  for (const step of steps) {
    const problem = await runStep(step, env);
    if (problem === undefined || step.mayFail) continue;
    throw new RoborevError(problem, {
      code: "E_SERVICE",
      ...(left.length === 0 ? {} : { hint: `Run by hand, where you are logged in: ${byHand(left)}` }),
    });
  }
}

/** The same, but a failure is returned in words. */
export async function trySteps(steps: readonly Step[], env: Environment): Promise<string | undefined> {
  try {
    await runSteps(steps, env, []);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

async function runStep({ argv }: Step, env: Environment): Promise<string | undefined> {
  try {
    const { exitCode, stderr, timedOut } = await runProcess(argv, { env, timeoutMs, maxBytes: 64 * 1024 });
    if (exitCode === 0) return undefined;
    const why = timedOut ? `it did not end within ${timeoutMs / 1000} s` : singleLine(stderr);
    return `${argv.join(" ")} failed: ${why || `exit status ${exitCode}`}`;
  } catch (error) {
    return errorMessage(error);
  }
}
