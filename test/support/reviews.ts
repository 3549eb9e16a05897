import type { Finding, Verdict } from "../../src/store/schema.ts";
import type { Store } from "../../src/store/store.ts";

export interface FakeReview {
  repoId: number;
  gitRef: string;
  branch?: string;
  jobType?: "review" | "range" | "dirty" | "fix";
  verdict?: Verdict;
  /** Default: one for a failed review, none for one that passes. */
  findings?: Finding[];
}

/** Puts a finished review into a store, as a worker would; returns its job id. */
export function storeReview(store: Store, review: FakeReview): number {
  const { job } = store.jobs.enqueue({
    repoId: review.repoId,
    gitRef: review.gitRef,
    jobType: review.jobType ?? "review",
    agent: "test",
    reasoning: "thorough",
    ...(review.branch === undefined ? {} : { branch: review.branch }),
  });
  for (;;) {
    const claimed = store.jobs.claim("worker");
    if (!claimed) throw new Error(`job ${job.id} cannot be claimed`);
    if (claimed.id === job.id) break;
  }
  completeAs(store, job.id, "worker", review.verdict ?? "F", review.findings);
  return job.id;
}

/** Completes a claimed job with a plausible review. */
export function completeAs(
  store: Store,
  jobId: number,
  workerId: string,
  verdict: Verdict,
  findings: Finding[] = verdict === "F" ? [{ severity: "high", problem: "broken" }] : [],
): void {
  store.jobs.complete(jobId, workerId, {
    agent: "test",
    prompt: "prompt",
    output: verdict === "F" ? "- High: broken" : "No issues found.",
    verdict,
    findings,
    evidence: {
      checkout: "/",
      files_in_diff: 1,
      files_sent: 1,
      diff_bytes: 1,
      delivery: "inline",
      chunks: 1,
      excluded_files: [],
    },
  });
}
