import type { OpenFailedReview } from "../../store/store.ts";

/** The git questions that the choice of reviews needs, each one process at most however many refs there are. */
export interface ReachabilityOracle {
  /** Which of these commits are not reachable from `tip`; unknown objects count as unreachable. Undefined: git failed. */
  unreachable(refs: string[], tip: string): Promise<Set<string> | undefined>;
  defaultBranch(): Promise<{ ref: string; branch: string } | undefined>;
}

export interface CheckoutPosition {
  head: string;
  /** Empty when HEAD is detached. */
  branch: string;
}

/**
 * Of the repository's open failed reviews, or those of the position's branch and of none, the ones that HEAD lets in: on
 * a branch those that carry its name, those of no commit, and what HEAD contains; on a detached HEAD what it contains.
 * The answer depends on nothing else than these reviews and this HEAD.
 */
export async function reviewsInReach(
  reviews: OpenFailedReview[],
  { head, branch }: CheckoutPosition,
  git: Pick<ReachabilityOracle, "unreachable">,
): Promise<OpenFailedReview[]> {
  if (branch === "") return reachable(reviews.filter(isOfCommit), head, git);
  const certain = reviews.filter((review) => !isBranchless(review));
  return [...certain, ...(await reachable(reviews.filter(isBranchless), head, git))];
}

/**
 * Ids of the reviews in reach that belong to a checkout: on a branch, of those without one only what the default branch
 * has not, unless it is that.
 */
export async function openReviewsOf(
  inReach: OpenFailedReview[],
  { branch }: Pick<CheckoutPosition, "branch">,
  git: ReachabilityOracle,
): Promise<number[]> {
  const doubtful = branch === "" ? [] : inReach.filter(isBranchless);
  const trunk = doubtful.length === 0 ? undefined : await git.defaultBranch();
  if (trunk === undefined || trunk.branch === branch) return idsOf(inReach);
  const outside = await git.unreachable(
    doubtful.map((review) => commitOf(review) as string),
    trunk.ref,
  );
  return idsOf(inReach.filter((review) => !isBranchless(review) || outside?.has(commitOf(review) as string)));
}

async function reachable(
  reviews: OpenFailedReview[],
  tip: string,
  git: Pick<ReachabilityOracle, "unreachable">,
): Promise<OpenFailedReview[]> {
  const others = reviews.filter((review) => commitOf(review) !== tip);
  if (others.length === 0) return reviews;
  const outside = await git.unreachable(
    others.map((review) => commitOf(review) as string),
    tip,
  );
  return reviews.filter((review) => {
    const commit = commitOf(review) as string;
    return commit === tip || (outside !== undefined && !outside.has(commit));
  });
}

/** The commit a review speaks of: its ref, or the end of its range; undefined for the working tree. */
function commitOf(review: OpenFailedReview): string | undefined {
  const end = review.gitRef.split("..").at(-1) ?? "";
  return /^[0-9a-f]{40,64}$/.test(end) ? end : undefined;
}

const isOfCommit = (review: OpenFailedReview): boolean => commitOf(review) !== undefined;

const isBranchless = (review: OpenFailedReview): boolean => review.branch === "" && isOfCommit(review);

const idsOf = (reviews: OpenFailedReview[]): number[] => reviews.map((review) => review.jobId);
