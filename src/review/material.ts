import type { ReviewSettings } from "../config/resolve.ts";
import type { GlobalConfig } from "../config/schema.ts";
import type { Checkout } from "../git/checkout.ts";
import { type CommitInfo, commitInfo, emptyTree, previousCommits } from "../git/commit.ts";
import { commitDiff, type Diff, rangeDiff } from "../git/diff.ts";
import { firstParentCommits } from "../git/lineage.ts";
import type { Job } from "../store/schema.ts";
import { dirtyDiffOf } from "./dirty-diff.ts";
import { checkoutOf, settingsOf } from "./job-settings.ts";
import { namedUnshown, showsNothing, unshownFiles } from "./prompt/unshown.ts";
import { readRepoConfig } from "./repo-config.ts";
import { sharedGuidelines } from "./shared-guidelines.ts";

/** Everything about a job that git and the configuration say. */
export interface Material {
  checkout: Checkout;
  settings: ReviewSettings;
  diff: Diff;
  /** Commits under review, oldest first; empty for the working tree. */
  commits: CommitInfo[];
  /** SHA whose tree the reviewer sees; absent for the working tree. */
  sha?: string;
  baseSha?: string;
  /** Ancestors right before the change, nearest first: their reviews are context. */
  previous: string[];
}

/** A range of more commits is described by its newest ones. */
const maxCommitsDescribed = 200;

export async function gatherMaterial(
  job: Job,
  global: GlobalConfig,
  /** `scratchDirectory` exists, and what a crash leaves in it is removed at the next start. */
  { scratchDirectory, onWarning }: { scratchDirectory: string; onWarning(line: string): void },
): Promise<Material> {
  const checkout = await checkoutOf(job);
  const dirty = job.job_type === "dirty";
  const repo = await readRepoConfig(checkout, { dirty, onWarning });
  const resolved = settingsOf(job, repo, global);
  const shared = await sharedGuidelines(checkout, { dirty, repo, settings: resolved, onWarning });
  const settings = { ...resolved, guidelines: [...resolved.guidelines, ...shared] };
  const options = { exclude: settings.excludePatterns, scratchDirectory };
  const cwd = checkout.worktreeRoot;
  if (dirty) {
    const diff = dirtyDiffOf(job.diff_content ?? "");
    const previous = checkout.head
      ? [checkout.head, ...(await previousCommits(cwd, checkout.head, settings.contextCount))]
      : [];
    return { checkout, settings, diff, commits: [], previous: previous.slice(0, settings.contextCount) };
  }
  const [base, head] = job.git_ref.includes("..")
    ? (job.git_ref.split("..") as [string, string])
    : [undefined, job.git_ref];
  if (base === undefined) {
    const [commit, diff, previous] = await Promise.all([
      commitInfo(cwd, head),
      commitDiff(cwd, head, options),
      previousCommits(cwd, head, settings.contextCount),
    ]);
    const parent = commit.parents[0];
    return {
      checkout,
      settings,
      diff,
      commits: [commit],
      sha: head,
      previous,
      ...(parent ? { baseSha: parent } : {}),
    };
  }
  const shas = await firstParentCommits(cwd, { to: head, from: base, limit: maxCommitsDescribed });
  const commits = await Promise.all(shas.reverse().map((sha) => commitInfo(cwd, sha)));
  const start = shas.length < maxCommitsDescribed ? (shas[0] ?? head) : undefined;
  const [diff, previous] = await Promise.all([
    rangeDiff(cwd, base, head, options),
    start ? previousCommits(cwd, start, settings.contextCount) : upTo(cwd, base, settings.contextCount),
  ]);
  return { checkout, settings, diff, commits, sha: head, baseSha: base, previous };
}

/** A commit and its ancestors, nearest first; none for the empty tree, which a range from the root starts at. */
async function upTo(cwd: string, base: string, count: number): Promise<string[]> {
  if (count <= 0 || base === (await emptyTree(cwd))) return [];
  return [base, ...(await previousCommits(cwd, base, count - 1))];
}

/** Why there is nothing to review; a reviewer that is given nothing would pass it. */
export function skipReason({ diff, commits, settings }: Material): string | undefined {
  if (diff.isMerge && !diff.hasConflictHunks && settings.mergeCommits === "skip") return "clean merge";
  if (showsNothing(diff.text) && !diff.truncated)
    return `only content that no diff shows: ${namedUnshown(unshownFiles(diff.text))}`;
  if (diff.files.length > 0) return undefined;
  if (diff.excludedFiles.length > 0) return "only excluded files";
  return commits.length === 1 && diff.isMerge ? "merge without changes of its own" : "empty diff";
}
