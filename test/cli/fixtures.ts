import type { ReviewResponse } from "../../src/daemon/api/responses.ts";
import type { Job } from "../../src/store/schema.ts";

export const sha = (digit: string): string => digit.repeat(40);

/** A finished, failed review job; `more` changes it. */
export function testJob(more: Partial<Job> = {}): Job {
  return {
    id: 7,
    uuid: "u-7",
    repo_id: 1,
    git_ref: sha("a"),
    job_type: "review",
    agent: "codex",
    reasoning: "thorough",
    agentic: false,
    prompt_prebuilt: false,
    status: "done",
    enqueued_at: "2026-01-01T00:00:00.000Z",
    started_at: "2026-01-01T00:00:01.000Z",
    finished_at: "2026-01-01T00:01:04.000Z",
    retry_count: 0,
    repo_name: "shop",
    verdict: "F",
    closed: false,
    ...more,
  };
}

export function testReview(more: Partial<ReviewResponse> = {}): ReviewResponse {
  return {
    id: 1,
    job_id: 7,
    agent: "codex",
    prompt: "Review this.",
    output: "High: an empty list divides by zero.\n",
    verdict_bool: 0,
    closed: false,
    created_at: "2026-01-01T00:01:04.000Z",
    job: testJob(),
    comments: [],
    ...more,
  };
}
