import { expect, test } from "bun:test";
import { failoverScene } from "./failover-scene.ts";

// They come from the Go program's database: queued when it was taken over, or run again later.
test("S08 a job that is no review of a change is not run as if it were one", async () => {
  await using s = await failoverScene({});
  for (const jobType of ["task", "insights", "compact", "fix"] as const) {
    const job = await s.settled(s.enqueue({ jobType, agent: "claude-code", retries: 0 }));
    expect(job).toMatchObject({
      status: "failed",
      error: expect.stringContaining(jobType === "fix" ? "another version" : `${jobType} jobs`),
    });
    expect(s.store.reviews.byJob(job.id)).toBeUndefined();
  }
  expect(s.calls()).toEqual([]);
});
