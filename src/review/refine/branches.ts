import { runUserGit } from "../../git/as-user.ts";
import { findCheckout } from "../../git/checkout.ts";
import { gitError } from "../../git/exec.ts";
import { findDefaultBranch } from "../../git/lineage.ts";
import { refTips } from "../../git/ref-tips.ts";
import { isSafeRevision } from "../../git/revision.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { quotedLabel, singleLine } from "../../lib/text.ts";
import { refineBranch } from "./run-refine.ts";
import { refineScope } from "./scope.ts";
import type { RefineRun, RefineServices } from "./services.ts";

/** What runs on several branches came to. */
export interface BranchRuns {
  runs: RefineRun[];
  /** Branches that could not be refined, and why. */
  failures: { branch: string; message: string }[];
}

/**
 * Refines every branch with an open failed review but the default one, each checked out in its turn; the one that was
 * checked out before is again in the end.
 */
export async function refineBranches(
  services: RefineServices,
  { newestFirst }: { newestFirst: boolean },
): Promise<BranchRuns> {
  const { checkout, client, progress, signal } = services;
  const cwd = checkout.worktreeRoot;
  const origin = checkout.branch || checkout.head || "";
  const defaultBranch = (await findDefaultBranch(cwd))?.branch;
  const { reviews } = await client.openReviews({ path: cwd, all_branches: true });
  const named = new Set(reviews.flatMap(({ branch = "" }) => (branch === "" ? [] : [branch])));
  const here = await localBranches(cwd, [...named].filter(isSafeRevision));
  const branches = here.filter((branch) => branch !== defaultBranch);
  const done: BranchRuns = { runs: [], failures: [] };
  try {
    for (const branch of newestFirst ? branches.toReversed() : branches) {
      progress.say(`Branch ${quotedLabel(branch)}`);
      try {
        const run = await refineThere(services, branch);
        if (run !== undefined) done.runs.push(run);
      } catch (error) {
        if (signal.aborted || !(error instanceof RoborevError) || !goesOn.includes(error.code)) throw error;
        progress.warn(`Branch ${quotedLabel(branch)}: ${errorMessage(error)}`);
        done.failures.push({ branch, message: errorMessage(error) });
      }
    }
    return done;
  } finally {
    await goBack(services, origin);
  }
}

/** Those that exist: a review may be of a branch that is gone. */
async function localBranches(cwd: string, branches: string[]): Promise<string[]> {
  const ref = (branch: string) => `refs/heads/${branch}`;
  const tips = await refTips(cwd, branches.map(ref));
  return branches.filter((branch) => tips.has(ref(branch)));
}

/** What concerns one branch only. */
const goesOn = ["E_SWITCH", "E_NO_BASE", "E_NO_MERGE_BASE", "E_COMMIT_REFUSED", "E_APPLY"];

/** The run on another branch; undefined where that has no commits of its own. */
async function refineThere(services: RefineServices, branch: string): Promise<RefineRun | undefined> {
  await switchTo(services, ["switch", "--quiet", "--no-guess", branch], services.signal);
  const checkout = await findCheckout(services.checkout.worktreeRoot);
  const scope = checkout && (await refineScope(checkout, undefined));
  return scope && (await refineBranch({ ...services, checkout }, scope));
}

async function goBack(services: RefineServices, origin: string): Promise<void> {
  const now = await findCheckout(services.checkout.worktreeRoot);
  if (now?.branch === services.checkout.branch && (now.branch !== "" || now.head === origin)) return;
  const detach = services.checkout.branch === "" ? ["--detach"] : [];
  try {
    await switchTo(services, ["switch", "--quiet", "--no-guess", ...detach, origin], undefined);
  } catch (error) {
    services.progress.warn(`${errorMessage(error)}. You were on ${singleLine(origin)}.`);
  }
}

async function switchTo(
  { checkout, env }: RefineServices,
  args: string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const cwd = checkout.worktreeRoot;
  const result = await runUserGit(args, {
    ...{ cwd, env, timeoutMs: 120_000 },
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.exitCode === 0) return;
  throw new RoborevError(errorMessage(gitError(args, cwd, result)), { code: "E_SWITCH" });
}
