import { defined } from "../lib/defined.ts";
import type { Job, ReviewFinding } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Material } from "./material.ts";
import type { PriorAttempt, PriorReview } from "./prompt/input.ts";

/** What earlier reviews said: of the parents, of the commits in a range, of the same target. */
export interface ReviewContext {
  /** Oldest first. */
  previousReviews: PriorReview[];
  inRangeReviews: PriorReview[];
  /** Newest first. */
  attempts: PriorAttempt[];
}

const maxAttempts = 3;

export function gatherContext(
  store: Store,
  job: Job,
  material: Pick<Material, "previous" | "commits">,
): ReviewContext {
  const repo = job.repo_path;
  return {
    previousReviews: [...material.previous].reverse().map((sha) => priorReview(store, sha, repo)),
    inRangeReviews:
      job.job_type === "range"
        ? material.commits
            .map((commit) => priorReview(store, commit.sha, repo))
            .filter((review) => review.output !== undefined)
        : [],
    // All working trees are called `dirty`: an earlier review by that name was of something else.
    attempts: job.job_type === "dirty" ? [] : attemptsOf(store, job),
  };
}

/** Reviews of the same target: those of this job that a rerun set aside, and those of other jobs. */
function attemptsOf(store: Store, job: Pick<Job, "id" | "repo_id" | "git_ref">): PriorAttempt[] {
  const own = store.reviews.attempts(job.id).slice(0, maxAttempts);
  const answers = store.comments.forJob(job.id);
  const attempts: PriorAttempt[] = own.map((attempt, index) => ({
    ...attempt,
    // Comments hang on the job; the newest attempt is the one that everybody has seen.
    comments: index === 0 ? answers : [],
  }));
  for (const review of store.reviews.allByRef(job.git_ref, { repoId: job.repo_id, limit: maxAttempts + 1 })) {
    if (review.job_id === job.id) continue;
    const { agent, output, created_at, findings } = review;
    const comments = store.comments.forJob(review.job_id);
    attempts.push({ ...defined({ agent, output, created_at, findings }), comments });
  }
  return attempts
    .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    .slice(0, maxAttempts);
}

/** Findings that somebody has dealt with, oldest review first. */
const decided = (attempts: PriorAttempt[]): ReviewFinding[] =>
  attempts
    .toReversed()
    .flatMap(({ findings = [] }) => findings.filter(({ disposition }) => disposition !== undefined));

function priorReview(store: Store, sha: string, repo: string | undefined): PriorReview {
  const review = store.reviews.byRef(sha, repo);
  if (!review) return { sha, comments: [] };
  return {
    sha,
    agent: review.agent,
    output: review.output,
    ...(review.findings && { findings: review.findings }),
    // Reviewed once more, it is told by its newest review; what was decided about the older ones still holds.
    ...(review.job && { earlierFindings: decided(attemptsOf(store, review.job)) }),
    comments: store.comments.forJob(review.job_id),
    ...(review.verdict_bool === undefined ? {} : { verdict: review.verdict_bool === 1 ? "P" : "F" }),
  };
}
