import type { Job } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Material } from "./material.ts";
import type { PriorAttempt, PriorReview } from "./prompt/input.ts";

/** What earlier reviews said: of the parents, of the commits in a range, of the same target. */
export interface ReviewContext {
  previousReviews: PriorReview[];
  inRangeReviews: PriorReview[];
  attempts: PriorAttempt[];
}

const maxAttempts = 3;

export function gatherContext(store: Store, job: Job, material: Material): ReviewContext {
  const repo = job.repo_path;
  return {
    previousReviews: [...material.previous].reverse().map((sha) => priorReview(store, sha, repo)),
    inRangeReviews:
      job.job_type === "range"
        ? material.commits
            .map((commit) => priorReview(store, commit.sha, repo))
            .filter((review) => review.output !== undefined)
        : [],
    attempts: store.reviews.attempts(job.id).slice(0, maxAttempts),
  };
}

function priorReview(store: Store, sha: string, repo: string | undefined): PriorReview {
  const review = store.reviews.byRef(sha, repo);
  if (!review) return { sha, comments: [] };
  return {
    sha,
    agent: review.agent,
    output: review.output,
    comments: store.comments.forJob(review.job_id),
    ...(review.verdict_bool === undefined ? {} : { verdict: review.verdict_bool === 1 ? "P" : "F" }),
  };
}
