import { RoborevError } from "../lib/errors.ts";
import { singleLine } from "../lib/text.ts";
import type { Checkout } from "./checkout.ts";
import { commitInfo, emptyTree, resolveCommit } from "./commit.ts";
import { gitText, tryGitText } from "./exec.ts";
import { isAncestor } from "./lineage.ts";
import { findRangeBase } from "./range-base.ts";
import { safeRevision, unknownRevision } from "./revision.ts";

/** Commits after `base` up to and including `head`; full SHAs, `base` may be the empty tree. */
export interface CommitRange {
  base: string;
  head: string;
}

export interface BranchRange extends CommitRange {
  /** What the base is called (`origin/main`), for people. */
  baseName: string;
  /** Empty for a detached HEAD. */
  branch: string;
  /** Newest first. */
  commits: string[];
}

/** `start` and `end` both included. */
export async function inclusiveRange(cwd: string, start: string, end: string): Promise<CommitRange> {
  const first = await requireCommit(cwd, start);
  const head = await requireCommit(cwd, end);
  if (!(await isAncestor(cwd, first, head))) {
    throw new RoborevError(`${label(start)} is not an ancestor of ${label(end)}`, {
      code: "E_RANGE",
      hint: "Name the older commit first.",
    });
  }
  const { parents } = await commitInfo(cwd, first);
  return { base: parents[0] ?? (await emptyTree(cwd)), head };
}

/** Everything after `since` up to HEAD. */
export async function sinceRange(cwd: string, since: string): Promise<CommitRange & { commits: string[] }> {
  const base = await requireCommit(cwd, since);
  const head = await requireCommit(cwd, "HEAD");
  if (!(await isAncestor(cwd, base, head))) {
    throw new RoborevError(`${label(since)} is not an ancestor of HEAD`, {
      code: "E_RANGE",
      hint: `To review a branch against it: roborev review --branch --base ${singleLine(since)}`,
    });
  }
  const commits = await commitsBetween(cwd, base, head);
  if (commits.length === 0) throw noCommits(label(since));
  return { base, head, commits };
}

/** The commits of a branch since it left its base. */
export async function branchRange(
  checkout: Pick<Checkout, "worktreeRoot" | "branch" | "head">,
  options: { branch?: string; base?: string } = {},
): Promise<BranchRange> {
  const cwd = checkout.worktreeRoot;
  const named = options.branch !== undefined && options.branch !== "" && options.branch !== "HEAD";
  const branch = named ? (options.branch as string) : checkout.branch;
  const head = named ? await resolveBranch(cwd, branch) : checkout.head;
  if (head === undefined) {
    if (named) throw unknownRevision(branch);
    throw new RoborevError("this branch has no commits yet", { code: "E_NO_COMMITS" });
  }
  const base = await findRangeBase(cwd, branch, options.base);
  const mergeBase = await tryGitText(["merge-base", base.sha, head], { cwd });
  if (!mergeBase) {
    throw new RoborevError(
      `${branch === "" ? "HEAD" : label(branch)} and ${label(base.name)} share no commit`,
      {
        code: "E_NO_MERGE_BASE",
        hint: "Name another base with --base.",
      },
    );
  }
  const commits = await commitsBetween(cwd, mergeBase, head);
  if (commits.length === 0) throw noCommits(label(base.name));
  return { base: mergeBase, head, baseName: base.name, branch, commits };
}

async function resolveBranch(cwd: string, name: string): Promise<string | undefined> {
  return (await resolveCommit(cwd, `refs/heads/${name}`)) ?? resolveCommit(cwd, name);
}

async function requireCommit(cwd: string, ref: string): Promise<string> {
  const sha = await resolveCommit(cwd, ref);
  if (sha === undefined) throw unknownRevision(ref);
  return sha;
}

/** Commits that `head` has and `base` has not, newest first. */
export async function commitsBetween(cwd: string, base: string, head: string): Promise<string[]> {
  const text = await gitText(
    ["rev-list", "--topo-order", safeRevision(head), `^${safeRevision(base)}`, "--"],
    { cwd },
  );
  return text.split("\n").filter((line) => line !== "");
}

const noCommits = (since: string) =>
  new RoborevError(`there are no commits since ${since}`, { code: "E_NO_COMMITS" });

const label = (ref: string) => singleLine(ref).slice(0, 200);
