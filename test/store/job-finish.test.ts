import { expect, test } from "bun:test";
import { review, storeFixture } from "./store-fixture.ts";

test("a completed job and its review appear together", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  f.store.jobs.claim("w");
  const tokenUsage = { input: 1, cached: 2, output: 3, cost_usd: 0.5 };
  expect(f.store.jobs.complete(id, "w", review({ sessionId: "s1", tokenUsage }))).toBe(true);
  const job = f.store.jobs.get(id)!;
  expect(job).toMatchObject({
    status: "done",
    verdict: "F",
    closed: false,
    session_id: "s1",
    token_usage: tokenUsage,
    evidence: { delivery: "inline", files_in_diff: 1 },
  });
  expect(f.store.reviews.byJob(id)).toMatchObject({
    job_id: id,
    agent: "test",
    output: "the output",
    verdict_bool: 0,
    closed: false,
    findings: [{ severity: "high", problem: "a bug", location: "a.ts:1" }],
    job: { id, status: "done" },
  });
});

test("a review without text is never stored", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  f.store.jobs.claim("w");
  expect(() => f.store.jobs.complete(id, "w", review({ output: " \n" }))).toThrow("is empty");
  expect(f.store.jobs.get(id)?.status).toBe("running");
});

test("tasks and insights have no verdict", async () => {
  using f = await storeFixture();
  const id = f.reviewed({ jobType: "task", gitRef: "run" });
  expect(f.store.jobs.get(id)).not.toHaveProperty("verdict");
  expect(f.store.reviews.byJob(id)).not.toHaveProperty("verdict_bool");
});

test("S07 rerun queues a finished job again and keeps the earlier review as an attempt", async () => {
  using f = await storeFixture();
  const id = f.reviewed({ model: "resolved", requestedModel: "asked" }, { output: "first" });
  f.store.comments.add({ jobId: id, responder: "dev", response: "why?" });
  expect(f.store.jobs.rerun(id)).toBe(true);
  expect(f.store.reviews.byJob(id)).toBeUndefined();
  expect(f.store.reviews.attempts(id)).toMatchObject([{ agent: "test", output: "first" }]);
  const job = f.store.jobs.get(id)!;
  expect(job).toMatchObject({ status: "queued", model: "asked", retry_count: 0 });
  for (const absent of ["verdict", "closed", "evidence", "started_at", "finished_at", "worker_id"])
    expect(job).not.toHaveProperty(absent);
  f.store.jobs.claim("w");
  f.store.jobs.complete(id, "w", review({ output: "second", verdict: "P" }));
  f.store.jobs.rerun(id);
  expect(f.store.reviews.attempts(id).map((attempt) => attempt.output)).toEqual(["second", "first"]);
  expect(f.store.comments.forJob(id)).toHaveLength(1);
});

test("S07 failed, canceled and skipped jobs can run again, queued and running ones cannot", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  const { jobs } = f.store;
  expect(jobs.rerun(id)).toBe(false);
  jobs.claim("w");
  expect(jobs.rerun(id)).toBe(false);
  jobs.fail(id, "w", "x");
  expect(jobs.rerun(id)).toBe(true);
  expect(jobs.get(id)).not.toHaveProperty("error");
  jobs.cancel(id);
  expect(jobs.rerun(id)).toBe(true);
  jobs.claim("w");
  jobs.skip(id, "w", "empty diff");
  expect(jobs.rerun(id)).toBe(true);
  expect(jobs.get(id)).not.toHaveProperty("skip_reason");
  expect(jobs.rerun(12345)).toBe(false);
});

test("S07 a stored prompt outlives a rerun only where it is the job itself", async () => {
  using f = await storeFixture();
  for (const jobType of ["review", "task", "fix"] as const) {
    const id = f.enqueue({ jobType, gitRef: jobType });
    f.store.jobs.claim("w");
    f.store.jobs.savePrompt(id, "w", "the prompt", "test");
    f.store.jobs.fail(id, "w", "x");
    f.store.jobs.rerun(id);
    expect(f.store.jobs.get(id)?.prompt).toBe(jobType === "review" ? undefined : "the prompt");
    f.store.jobs.cancel(id);
  }
});
