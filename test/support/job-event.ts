import type { JobEvent } from "../../src/daemon/api/event.ts";

/** A review that was completed, with changes. */
export const jobEvent = (change: Partial<JobEvent> = {}): JobEvent => ({
  type: "review.completed",
  ts: "2026-01-01T00:00:00.000Z",
  job_id: 7,
  job_uuid: "u",
  repo: "/shop",
  repo_name: "shop",
  sha: "a".repeat(40),
  agent: "test",
  ...change,
});
