import { type Checkout, findCheckout } from "../../git/checkout.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import type { Context } from "../command.ts";
import { givenSocket } from "../server-address.ts";
import { judgeHookReport, judgeSkills, probeHookReport, probeSkills } from "./coding-agents.ts";
import { type CheckedFile, judgeConfiguration, probeConfiguration } from "./configuration.ts";
import { judgeDaemon, probeDaemonView } from "./daemon.ts";
import { judgeDataDirectory, probeDataDirectory } from "./data-directory.ts";
import { judgeEnvironment, probeEnvironment } from "./environment.ts";
import { type Check, error } from "./finding.ts";
import { judgeGitHooks, probeGitHooks } from "./git-hooks.ts";
import { judgeProgram, probeProgram } from "./program.ts";
import { judgeRecentCommits, probeRecentCommits } from "./recent-commits.ts";
import { judgeRepositories, probeRepositories } from "./repositories.ts";
import { judgeReviewers, probeReviewers } from "./reviewers.ts";
import { judgeDatabase, judgeHookState, probeStoredData } from "./stored-data.ts";

/** Looks at everything at once, in the order of the screen. Starts no daemon and no reviewer, changes nothing. */
export async function examine(context: Context): Promise<Check[]> {
  const paths = context.paths();
  const around = await orProblem(findCheckout(context.cwd()));
  const checkout: Checkout | undefined = "problem" in around ? undefined : around.value;
  const stored = orProblem(probeStoredData(paths));
  const named = givenSocket(context.flags.server, context.env) !== undefined;
  const configuration = orProblem(probeConfiguration(context, checkout));
  const here = { dataDir: paths.dataDir, named };
  const checks = await Promise.all([
    check("program", "Program", probeProgram(context), judgeProgram),
    check("data-dir", "Data directory", probeDataDirectory(paths), judgeDataDirectory),
    check("config", "Configuration", opened(configuration), judgeConfiguration),
    check("database", "Database", opened(stored), (found) => judgeDatabase(found, paths)),
    check("hook-state", "Reminder state", opened(stored), (found) => judgeHookState(found, paths)),
    check("daemon", "Daemon", probeDaemonView(context), (found) => judgeDaemon(found, here)),
    check(
      "git-hooks",
      "Git hooks",
      opened(Promise.resolve(around)).then((found) => probeGitHooks(found, context.env)),
      judgeGitHooks,
    ),
    check("repositories", "Repositories", probeRepositories(context, checkout), judgeRepositories),
    check("commits", "Last commits", probeRecentCommits(context, checkout), (found) =>
      judgeRecentCommits(found, context.now()),
    ),
    check("reviewers", "Reviewers", probeReviewers(context, checkout), async (found) =>
      judgeReviewers(found, isRefused(await configuration)),
    ),
    check("agent-hook", "Coding agents", probeHookReport(context), judgeHookReport),
    check("skills", "Skills", probeSkills(context), judgeSkills),
    check("environment", "Environment", probeEnvironment(context, paths.dataDir), judgeEnvironment),
  ]);
  return withoutVainStarts(checks);
}

/** No daemon starts on a database that is damaged: that is mended first, and by hand. */
export function withoutVainStarts(checks: readonly Check[]): Check[] {
  const isBroken = checks.some(
    ({ name, findings }) => name === "database" && findings.some(({ severity }) => severity === "error"),
  );
  if (!isBroken) return [...checks];
  const repair = "Mend the database first, then: roborev daemon start";
  return checks.map((check) => ({
    ...check,
    findings: check.findings.map(({ mend, ...rest }) =>
      mend?.do === "start-daemon"
        ? { ...rest, repair }
        : { ...rest, ...(mend === undefined ? {} : { mend }) },
    ),
  }));
}

/** What cannot be looked at is a finding of its own, and keeps nothing else back. */
async function check<T>(
  name: string,
  title: string,
  probe: Promise<T>,
  judge: (found: T) => Check | Promise<Check>,
): Promise<Check> {
  const found = await orProblem(probe);
  if (!("problem" in found)) return await judge(found.value);
  const { message, hint } = found.problem;
  const findings = [error("not-examined", `${title.toLowerCase()}: ${message}`, hint)];
  return { name, title, summary: "could not be looked at", findings };
}

/** Nothing that reads a refused file gets further than that: it is told once. */
const isRefused = (looked: Looked<CheckedFile[]>): boolean =>
  "value" in looked && looked.value.some(({ refused }) => refused);

type Looked<T> = { value: T } | { problem: { message: string; hint?: string } };

async function orProblem<T>(work: Promise<T>): Promise<Looked<T>> {
  try {
    return { value: await work };
  } catch (failure) {
    const known = failure instanceof RoborevError || (failure instanceof Error && "code" in failure);
    if (!known) throw failure;
    const hint = failure instanceof RoborevError ? failure.hint : undefined;
    return { problem: { message: errorMessage(failure), ...(hint === undefined ? {} : { hint }) } };
  }
}

async function opened<T>(looked: Promise<Looked<T>>): Promise<T> {
  const found = await looked;
  if ("value" in found) return found.value;
  const { message, hint } = found.problem;
  throw new RoborevError(message, { code: "E_EXAMINE", ...(hint === undefined ? {} : { hint }) });
}
