import type { Checkout } from "../git/checkout.ts";
import { commitInfo, emptyTree } from "../git/commit.ts";
import { gitText } from "../git/exec.ts";
import { isAncestor } from "../git/lineage.ts";
import type { Job } from "../store/schema.ts";
import { rangeTarget, type Target } from "./target.ts";

/**
 * What to review instead of a job that waits for its branch to come to rest, now that the branch has moved to a new
 * commit: both together, so that nothing of the branch goes unreviewed; of commits that were rewritten, what is there
 * now. Undefined: they stay apart, because a merge lies between them, or because they are the same.
 */
export async function joinedTarget(
  checkout: Checkout,
  waiting: Pick<Job, "git_ref" | "job_type">,
  target: Target,
): Promise<Target | undefined> {
  if (endOf(waiting.git_ref) === endOf(target.gitRef)) return undefined; // the same once more
  if (target.jobType === "range") return target; // the branch up to the commit, whatever waited
  const cwd = checkout.worktreeRoot;
  const empty = await emptyTree(cwd);
  const base = await baseOf(cwd, waiting, empty);
  const [parent = empty] = target.commit?.parents ?? [];
  if (parent === base || !(await isBelow(cwd, base, target.gitRef, empty))) return target;
  const range = base === empty ? [target.gitRef] : [target.gitRef, `^${base}`];
  const merges = await gitText(["rev-list", "--count", "--min-parents=2", ...range, "--"], { cwd });
  return merges === "0" ? rangeTarget(checkout, base, target.gitRef) : undefined;
}

const endOf = (ref: string) => ref.slice(ref.lastIndexOf(".") + 1);

/** The commit below everything that a job reviews. */
async function baseOf(
  cwd: string,
  { git_ref: ref, job_type }: Pick<Job, "git_ref" | "job_type">,
  empty: string,
) {
  if (job_type === "range") return ref.slice(0, ref.indexOf(".."));
  return (await commitInfo(cwd, ref)).parents[0] ?? empty;
}

const isBelow = async (cwd: string, base: string, head: string, empty: string) =>
  base === empty || (await isAncestor(cwd, base, head));
