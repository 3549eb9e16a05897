import type { DaemonClient } from "../../client/daemon.ts";
import { type BranchWorktree, branchWorktrees } from "../../git/branch-worktrees.ts";
import { type Checkout, findCheckout } from "../../git/checkout.ts";
import { operationInProgress } from "../../git/state.ts";
import { RoborevError } from "../../lib/errors.ts";
import { quotedLabel, singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";

/** A background fix with its patch, and where that goes. */
export interface ApplyTarget {
  job: Job;
  checkout: Checkout;
}

/**
 * Where the patch of a background fix goes: the working tree that has its branch checked out; without a branch the one
 * that the user stands in, or that was reviewed from. Throws for what cannot be applied, and where there is no such
 * working tree.
 */
export async function findApplyTarget(
  client: Pick<DaemonClient, "jobs">,
  jobId: number,
  here?: Checkout,
): Promise<ApplyTarget> {
  const job = await readyFix(client, jobId);
  const { repo_path: root = "" } = job;
  const path = planTarget(job, { worktrees: await branchWorktrees(root), here });
  if (path instanceof RoborevError) {
    const operation = here && operationInProgress(here);
    // Git takes a branch that is being rebased for checked out nowhere.
    throw operation === undefined ? path : inProgress(operation, here);
  }
  const checkout = await findCheckout(path);
  if (checkout !== undefined) return { job, checkout };
  throw new RoborevError(`the working tree ${singleLine(path)} is gone`, { code: "E_WORKTREE" });
}

/** The working tree, or why there is none. Pure. */
export function planTarget(
  job: Pick<Job, "branch" | "repo_path" | "worktree_path">,
  { worktrees, here }: { worktrees: readonly BranchWorktree[]; here: Checkout | undefined },
): string | RoborevError {
  const { branch, repo_path: root = "", worktree_path: own = root } = job;
  if (branch === undefined) return here?.mainRoot === root ? here.worktreeRoot : own;
  const found = worktrees.find((worktree) => worktree.branch === branch);
  if (found !== undefined) return found.path;
  return new RoborevError(
    `no working tree of ${singleLine(root)} has branch ${quotedLabel(branch)} checked out`,
    {
      code: "E_OTHER_BRANCH",
      hint: "Check it out first, with git switch.",
    },
  );
}

/** A background fix whose patch waits. */
export async function readyFix(client: Pick<DaemonClient, "jobs">, id: number): Promise<Job> {
  const job = (await client.jobs({ id })).jobs[0];
  if (job === undefined)
    throw new RoborevError(`there is no job ${id}`, {
      code: "E_NO_JOB",
      hint: "roborev list shows the numbers.",
    });
  const refusal = refusalOf(job);
  if (refusal !== undefined) throw refusal;
  return job;
}

function refusalOf({
  id,
  job_type: type,
  status,
  parent_job_id: parent,
  error,
}: Job): RoborevError | undefined {
  if (type !== "fix")
    return new RoborevError(`job ${id} is no background fix`, {
      code: "E_NO_FIX",
      hint: `Ask for one of its review with: roborev fix --background ${id}`,
    });
  if (status === "done") return undefined;
  if (status === "queued" || status === "running")
    return new RoborevError(`job ${id} is ${status}: there is no patch yet`, {
      code: "E_NOT_DONE",
      hint: `Wait for it with: roborev wait --job ${id}`,
    });
  if (status === "applied")
    return new RoborevError(`the patch of job ${id} is applied already`, { code: "E_APPLIED" });
  const anew =
    parent === undefined ? {} : { hint: `Ask for another one with: roborev fix --background ${parent}` };
  if (status === "rebased")
    return new RoborevError(`the patch of job ${id} was made anew by a later job`, {
      code: "E_REBASED",
      hint: "roborev list shows its number.",
    });
  const why = error === undefined ? "" : `: ${singleLine(error)}`;
  return new RoborevError(
    `job ${id} ${status === "failed" ? "failed" : `was ${status}`} and has no patch${why}`,
    {
      code: "E_NO_PATCH",
      ...anew,
    },
  );
}

const inProgress = (operation: string, here: Checkout | undefined) =>
  new RoborevError(`a ${operation} is in progress in ${singleLine(here?.worktreeRoot ?? "")}`, {
    code: "E_IN_PROGRESS",
    hint: "Finish or abort it first: git status says how.",
  });
