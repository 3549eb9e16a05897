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
 * Ids of the open failed reviews that belong to a checkout. On a branch, of those that carry its name or none: the
 * former, those of no commit, and those of commits in the branch's own line. On a detached HEAD: what HEAD contains.
 */
export async function openReviewsOf(
  reviews: OpenFailedReview[],
  position: CheckoutPosition,
  git: ReachabilityOracle,
): Promise<number[]> {
  const ofCommits = reviews.filter((review) => commitOf(review) !== undefined);
  if (position.branch === "") return idsOf(await reachable(ofCommits, position.head, git));
  const certain = reviews.filter((review) => review.branch !== "" || commitOf(review) === undefined);
  const branchless = ofCommits.filter((review) => review.branch === "");
  return idsOf([...certain, ...(await ownLine(branchless, position, git))]);
}

/** Commits that HEAD has and the default branch has not, unless HEAD is the default branch. */
async function ownLine(reviews: OpenFailedReview[], position: CheckoutPosition, git: ReachabilityOracle) {
  const mine = await reachable(reviews, position.head, git);
  if (mine.length === 0) return [];
  const trunk = await git.defaultBranch();
  if (trunk === undefined || trunk.branch === position.branch) return mine;
  const outside = await git.unreachable(
    mine.map((review) => commitOf(review) as string),
    trunk.ref,
  );
  return mine.filter((review) => outside?.has(commitOf(review) as string));
}

async function reachable(reviews: OpenFailedReview[], tip: string, git: ReachabilityOracle) {
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

const idsOf = (reviews: OpenFailedReview[]): number[] => reviews.map((review) => review.jobId);
