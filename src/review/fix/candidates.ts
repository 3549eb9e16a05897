import type { ReviewResponse } from "../../daemon/api/responses.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import type { Job, JobType, ReviewFinding } from "../../store/schema.ts";
import { isTool } from "../prompt/answers.ts";
import type { FixEntry } from "../prompt/fix/entry.ts";
import { splitReview } from "../verdict/structured.ts";

const fixable: readonly JobType[] = ["review", "range", "dirty", "compact", "task"];
const pending: readonly Job["status"][] = ["queued", "running"];

/** Why a job that somebody named cannot be fixed here; undefined for one that can. */
export function refusalOf(job: Job, mainRoot: string): RoborevError | undefined {
  const { id, status } = job;
  if (job.repo_path !== undefined && job.repo_path !== mainRoot) {
    return new RoborevError(`job ${id} belongs to ${singleLine(job.repo_path)}, not to this repository`, {
      code: "E_OTHER_REPO",
      hint: "Change into a checkout of that repository.",
    });
  }
  if (!fixable.includes(job.job_type)) {
    return new RoborevError(`job ${id} is no review (${job.job_type}): there is nothing to fix`, {
      code: "E_NOT_FIXABLE",
    });
  }
  if (pending.includes(status)) {
    return new RoborevError(`job ${id} is ${status}: there is no review yet`, {
      code: "E_NOT_DONE",
      hint: `Wait for it with: roborev wait --job ${id}`,
    });
  }
  if (status !== "done" || job.closed === undefined) {
    return new RoborevError(`job ${id} is ${status} and has no review`, {
      code: "E_NO_REVIEW",
      hint: `Run it again with: roborev rerun ${id}`,
    });
  }
  if (job.closed) {
    return new RoborevError(`job ${id} is closed already`, {
      code: "E_CLOSED",
      hint: `To deal with it once more: roborev close --reopen ${id}`,
    });
  }
  return undefined;
}

/**
 * A review as a fix prompt shows it. With `asksAgain` what tools said of its findings does not settle them: somebody
 * named the review because it is not settled for them.
 */
export function entryOf(review: ReviewResponse, asksAgain = false): FixEntry {
  const { job, findings = [] } = review;
  return {
    jobId: job.id,
    kind: job.job_type,
    gitRef: job.git_ref,
    ...(job.commit_subject === undefined ? {} : { subject: job.commit_subject }),
    output: splitReview(review.output).prose.trim(),
    findings: asksAgain ? findings.map(withoutToolsWord) : findings,
    comments: review.comments,
  };
}

function withoutToolsWord(finding: ReviewFinding): ReviewFinding {
  const { disposition, ...rest } = finding;
  return disposition === undefined || isTool(disposition.by) ? rest : finding;
}
