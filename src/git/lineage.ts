import { decode, gitError, runGit, tryGitText } from "./exec.ts";
import { type RefLook, unnoticed } from "./ref-memory.ts";
import { refTips } from "./ref-tips.ts";
import { isSafeRevision, safeRevision } from "./revision.ts";

/** Whether `ancestor` is `descendant` or one of its ancestors; false for a commit that this repository does not have. */
export async function isAncestor(cwd: string, ancestor: string, descendant: string): Promise<boolean> {
  if (!isSafeRevision(ancestor) || !isSafeRevision(descendant)) return false;
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  const result = await runGit(args, { cwd });
  if (result.exitCode === 0) return true;
  if (result.exitCode === 1 || /^fatal: Not a valid (commit|object) name/m.test(result.stderr)) return false;
  throw gitError(args, cwd, result);
}

/** The repository's default branch: what to call it, and the full ref that no tag or branch can stand in for. */
export interface DefaultBranch {
  /** `origin/main`, or `main` without a remote one. */
  name: string;
  ref: string;
  /** Without the remote's name. */
  branch: string;
  /** Full SHA. */
  tip: string;
}

/**
 * Where `origin/HEAD` points if that exists, else the local branch of that name, else `main`, else `master`.
 * `look` sees each ref before git is asked about it.
 */
export async function findDefaultBranch(
  cwd: string,
  look: RefLook = unnoticed,
): Promise<DefaultBranch | undefined> {
  const remoteHead = "refs/remotes/origin/";
  look.at(`${remoteHead}HEAD`);
  const target = await tryGitText(["symbolic-ref", "--quiet", `${remoteHead}HEAD`], { cwd });
  const named = target?.startsWith(remoteHead) ? target.slice(remoteHead.length) : undefined;
  const candidates: Omit<DefaultBranch, "tip">[] = [];
  if (named) candidates.push({ name: `origin/${named}`, ref: remoteHead + named, branch: named });
  for (const branch of named ? [named, "main", "master"] : ["main", "master"]) {
    candidates.push({ name: branch, ref: `refs/heads/${branch}`, branch });
  }
  const tips = await refTips(
    cwd,
    candidates.map(({ ref }) => ref),
    look,
  );
  for (const candidate of candidates) {
    const tip = tips.get(candidate.ref);
    if (tip !== undefined) return { ...candidate, tip };
  }
  return undefined;
}

export interface FirstParentQuery {
  to: string;
  /** Leave out what this commit reaches. */
  from?: string;
  limit?: number;
}

/** First-parent ancestors of `to`, itself included, newest first. */
export async function firstParentCommits(cwd: string, query: FirstParentQuery): Promise<string[]> {
  const args = ["rev-list", "--first-parent", safeRevision(query.to)];
  if (query.from !== undefined) args.push(`^${safeRevision(query.from)}`);
  if (query.limit !== undefined) args.push(`--max-count=${query.limit}`);
  args.push("--");
  const result = await runGit(args, { cwd });
  if (result.exitCode !== 0 || result.truncated) throw gitError(args, cwd, result);
  return decode(result.stdout)
    .split("\n")
    .filter((line) => line !== "");
}
