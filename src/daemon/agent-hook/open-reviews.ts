import type { Containment } from "../../git/containment.ts";
import type { OpenFailedReview } from "../../store/store.ts";

/** The git questions that the choice of reviews needs, each a few processes at most however many reviews there are. */
export interface ReachabilityOracle {
  /** Which of these commits are not reachable from `tip`; unknown objects count as unreachable. Undefined: git failed. */
  unreachable(shas: string[], tip: string): Promise<Set<string> | undefined>;
  /** The pairs whose tip does not reach the commit. Undefined: git failed. */
  notContained<Pair extends Containment>(pairs: Pair[]): Promise<Set<Pair> | undefined>;
}

export interface CheckoutPosition {
  head: string;
  /** Empty when HEAD is detached. */
  branch: string;
}

/** The branches that a choice of reviews depends on. */
export interface BranchTips {
  /** The commits of those of `otherBranches` that exist. */
  others: ReadonlyMap<string, string>;
  trunk: { tip: string; branch: string } | undefined;
}

/**
 * Of the repository's open failed reviews, those that HEAD lets in: on a branch those that carry its name, those of
 * neither commit nor branch, and what HEAD contains; on a detached HEAD what it contains. The answer depends on
 * nothing else than these reviews and this HEAD.
 */
export async function reviewsInReach(
  reviews: OpenFailedReview[],
  { head, branch }: CheckoutPosition,
  git: Pick<ReachabilityOracle, "unreachable">,
): Promise<OpenFailedReview[]> {
  const isCertain = (review: OpenFailedReview) => branch !== "" && isOwn(review, branch);
  const commits = reviews.filter((review) => !isCertain(review)).map(commitOf);
  const others = [...new Set(commits)].filter((commit) => commit !== undefined && commit !== head);
  const outside = others.length === 0 ? new Set() : await git.unreachable(others as string[], head);
  return reviews.filter((review) => {
    const commit = commitOf(review);
    if (isCertain(review) || commit === head) return true;
    return commit !== undefined && outside !== undefined && !outside.has(commit);
  });
}

/** What the choice of these reviews in reach depends on: other branches, and whether the default one. */
export function branchesAsked(
  inReach: OpenFailedReview[],
  { branch }: Pick<CheckoutPosition, "branch">,
): { others: string[]; trunk: boolean } {
  const foreign = branch === "" ? [] : inReach.filter((review) => !isOwn(review, branch));
  const labels = new Set(foreign.map((review) => review.branch));
  return { others: [...labels].filter((label) => label !== "").sort(), trunk: foreign.length > 0 };
}

/**
 * Ids of the reviews in reach that belong to a checkout. On a branch not those of another branch that has their commit:
 * they are told there. And of what carries no branch, or one that has not its commit, only what the default branch has
 * not, unless it is that.
 */
export async function openReviewsOf(
  inReach: OpenFailedReview[],
  { branch }: Pick<CheckoutPosition, "branch">,
  { others, trunk }: BranchTips,
  git: ReachabilityOracle,
): Promise<number[]> {
  if (branch === "") return idsOf(inReach);
  const foreign = inReach.filter((review) => !isOwn(review, branch));
  const astray = await astrayOf(foreign, others, git);
  const doubtful = foreign.filter((review) => review.branch === "" || astray.has(review));
  const isOnTrunk = trunk === undefined || trunk.branch === branch;
  const commits = [...new Set(doubtful.map((review) => commitOf(review) as string))];
  const outside =
    isOnTrunk || commits.length === 0 ? new Set(commits) : await git.unreachable(commits, trunk.tip);
  const counted = new Set(doubtful.filter((review) => outside?.has(commitOf(review) as string)));
  return idsOf(inReach.filter((review) => isOwn(review, branch) || counted.has(review)));
}

/** Those that carry a branch which has not their commit, or is gone. */
async function astrayOf(
  reviews: OpenFailedReview[],
  tips: ReadonlyMap<string, string>,
  git: Pick<ReachabilityOracle, "notContained">,
): Promise<Set<OpenFailedReview>> {
  const labelled = reviews.filter((review) => review.branch !== "");
  const pairs = labelled.flatMap((review) => {
    const tip = tips.get(review.branch);
    return tip === undefined ? [] : [{ review, tip, commit: commitOf(review) as string }];
  });
  const outside = pairs.length === 0 ? undefined : await git.notContained(pairs);
  return new Set([
    ...labelled.filter((review) => !tips.has(review.branch)),
    ...[...(outside ?? [])].map(({ review }) => review),
  ]);
}

/** The commit a review speaks of: its ref, or the end of its range; undefined for the working tree. */
function commitOf(review: OpenFailedReview): string | undefined {
  const end = review.gitRef.split("..").at(-1) ?? "";
  return /^[0-9a-f]{40,64}$/.test(end) ? end : undefined;
}

/** Whether it belongs to the branch whatever git says. */
const isOwn = (review: OpenFailedReview, branch: string): boolean =>
  review.branch === branch || (review.branch === "" && commitOf(review) === undefined);

const idsOf = (reviews: OpenFailedReview[]): number[] => reviews.map((review) => review.jobId);
