import type { Checkout } from "../../git/checkout.ts";
import { type CommitInfo, commitInfo, resolveCommit } from "../../git/commit.ts";
import { refTips } from "../../git/ref-tips.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";

/** What decides where a background fix starts. */
interface BaseQuestion {
  parent: Pick<Job, "job_type" | "git_ref" | "branch">;
  /** What was asked for. */
  gitRef: string | undefined;
  /** A patch is made anew that was against the parent's own commit. */
  isRebase: boolean;
}

/**
 * The commit that a background fix starts from: the one that was asked for, or the one that was reviewed, or the tip of
 * the branch that was reviewed, or what is checked out.
 */
export async function fixBase(
  { worktreeRoot: cwd, head }: Pick<Checkout, "worktreeRoot" | "head">,
  { parent, gitRef, isRebase }: BaseQuestion,
): Promise<CommitInfo> {
  if (gitRef !== undefined) {
    const sha = await resolveCommit(cwd, gitRef);
    if (sha !== undefined) return await commitInfo(cwd, sha);
    throw new RoborevError(`${singleLine(gitRef)} names no commit here`, { code: "E_REF" });
  }
  const isCommit = parent.job_type === "review" && !isRebase;
  const sha =
    (isCommit ? await resolveCommit(cwd, parent.git_ref) : undefined) ??
    (await branchTip(cwd, parent.branch)) ??
    head;
  if (sha === undefined) throw new RoborevError(`${cwd} has no commit yet`, { code: "E_REF" });
  return await commitInfo(cwd, sha);
}

async function branchTip(cwd: string, branch: string | undefined): Promise<string | undefined> {
  if (branch === undefined) return undefined;
  const ref = `refs/heads/${branch}`;
  return (await refTips(cwd, [ref])).get(ref);
}
