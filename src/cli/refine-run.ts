import { commitCredit } from "../config/commit-credit.ts";
import type { Checkout } from "../git/checkout.ts";
import { ExitCode, RoborevError } from "../lib/errors.ts";
import { quotedLabel } from "../lib/text.ts";
import type { FixAgent } from "../review/fix/services.ts";
import type { BranchRuns } from "../review/refine/branches.ts";
import type { RefineRun, RefineScope, RefineServices } from "../review/refine/services.ts";
import type { Context } from "./command.ts";
import { withEditSession } from "./edit-session.ts";
import { type EditRequest, type EditSettings, editSettings } from "./edit-settings.ts";
import { fixProgress } from "./fix-progress.ts";

/** What `roborev refine` was asked for. */
export interface RefineRequest extends EditRequest {
  maxIterations: number;
  quiet: boolean;
  since?: string;
  /** Has to be the one that is checked out. */
  branch?: string;
  allBranches: boolean;
  newestFirst: boolean;
}

const agentTimeoutMs = 60 * 60_000;

/** Refines this branch, or all that need it, with the lock of the working tree held; the exit status. */
export async function runRefine(
  context: Context,
  checkout: Checkout,
  request: RefineRequest,
): Promise<number> {
  const { requireReady } = await import("../review/fix/ready.ts");
  const { refineScope } = await import("../review/refine/scope.ts");
  requireBranch(checkout, request.branch);
  await requireReady(checkout);
  const scope = request.allBranches ? undefined : await refineScope(checkout, request.since);
  const settings = await editSettings(context, checkout, "refine", request);
  if (scope === undefined && !request.allBranches) return reportNothing(context, checkout, request);
  const given = await servicesOf(checkout, settings, request);
  const progress = fixProgress(context, request.quiet);
  let chosen: Promise<FixAgent> | undefined;
  const agent = () => {
    chosen ??= settings.agent(progress); // asked for more than once, and a backup is told of only once
    return chosen;
  };
  const done = await withEditSession(context, { checkout, progress }, (session) =>
    refineAs(scope, request, {
      ...session,
      ...given,
      command: "refine",
      agent,
    }),
  );
  return report(context, request, done);
}

function requireBranch({ branch }: Checkout, wanted: string | undefined): void {
  if (wanted === undefined || wanted === branch) return;
  throw new RoborevError(
    `${quotedLabel(wanted)} is not checked out here; ${branch === "" ? "no branch is" : `${quotedLabel(branch)} is`}`,
    { code: "E_OTHER_BRANCH", hint: "Check it out first, with git switch." },
  );
}

async function servicesOf(
  checkout: Checkout,
  { resolved, repo, global, onWarning }: EditSettings,
  { maxIterations }: RefineRequest,
): Promise<Pick<RefineServices, "settings" | "guidelines" | "maxIterations">> {
  const { sharedGuidelines } = await import("../review/shared-guidelines.ts");
  const shared = await sharedGuidelines(checkout, { dirty: false, repo, settings: resolved, onWarning });
  return {
    settings: {
      ...(resolved.minSeverity === undefined ? {} : { floor: resolved.minSeverity.value }),
      ...{ maxPromptBytes: resolved.maxPromptBytes, timeoutMs: agentTimeoutMs, resume: false },
      credit: commitCredit(global),
    },
    guidelines: [...resolved.guidelines, ...shared].join("\n\n"),
    maxIterations,
  };
}

async function refineAs(
  scope: RefineScope | undefined,
  { newestFirst }: RefineRequest,
  services: RefineServices,
): Promise<BranchRuns> {
  if (scope === undefined) {
    const { refineBranches } = await import("../review/refine/branches.ts");
    return await refineBranches(services, { newestFirst });
  }
  const { refineBranch } = await import("../review/refine/run-refine.ts");
  return { runs: [await refineBranch(services, scope)], failures: [] };
}

function reportNothing(context: Context, { branch }: Checkout, request: RefineRequest): Promise<number> {
  const message = "There are no commits to refine";
  const run: RefineRun = {
    ...{ outcome: "nothing", branch, message, iterations: 0 },
    ...{ results: [], commits: [] },
  };
  return report(context, request, { runs: [run], failures: [] });
}

async function report(
  { flags, out }: Context,
  { quiet, allBranches }: RefineRequest,
  { runs, failures }: BranchRuns,
): Promise<number> {
  const { isDone } = await import("../review/refine/services.ts");
  if (flags.json) out.json(allBranches ? { runs, failures } : runs[0]);
  else if (allBranches && runs.length === 0 && failures.length === 0 && !quiet)
    out.note("No branch has an open failed review.");
  for (const run of flags.json ? [] : runs) {
    const text = `${allBranches ? `${quotedLabel(run.branch)}: ` : ""}${sentenceOf(run)}`;
    if (!isDone(run)) out.note(text);
    else if (!quiet) out.print(text);
  }
  return failures.length === 0 && runs.every(isDone) ? ExitCode.done : ExitCode.failed;
}

/** What a run came to, and what was committed and left open on the way. */
function sentenceOf({ outcome, message, hint, commits, results }: RefineRun): string {
  const open = [...new Set(results.filter(({ closed }) => !closed).map(({ job_id }) => job_id))];
  const isStop = !["passed", "nothing", "settled"].includes(outcome);
  return [
    `${isStop ? "Stopped: " : ""}${message}.`,
    ...(commits.length === 0 ? [] : [`Commits: ${commits.map((sha) => sha.slice(0, 7)).join(", ")}.`]),
    ...(open.length === 0 ? [] : [`Open, with comments: ${open.join(", ")}.`]),
    ...(hint === undefined ? [] : [hint]),
  ].join(" ");
}
