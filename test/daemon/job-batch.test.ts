import { expect, test } from "bun:test";
import type { BatchResponse } from "../../src/daemon/api/responses.ts";
import { testDaemon } from "../support/daemon.ts";
import { storeReview } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";

test("a batch gives jobs with their reviews, without what is long, and leaves out what there is not", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const { store } = daemon.parts.services;
  const repoId = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "r" }).id;
  const done = storeReview(store, { repoId, gitRef: "a" });
  const request = {
    repoId,
    jobType: "dirty",
    agent: "test",
    reasoning: "fast",
    diffContent: "THE DIFF",
  } as const;
  const queued = store.jobs.enqueue({ ...request, gitRef: "dirty" }).job.id;
  const { status, body } = await daemon.post("/api/jobs/batch", { job_ids: [queued, done, done, 999] });
  const { results } = body as BatchResponse;
  expect([status, Object.keys(results)]).toEqual([200, [String(done), String(queued)]]);
  expect(results[done]).toMatchObject({
    job: { id: done, verdict: "F" },
    review: { output: "- High: broken" },
  });
  expect(Object.keys(results[queued] ?? {})).toEqual(["job"]);
  expect(JSON.stringify(results)).not.toMatch(/THE DIFF|"prompt":/);
  for (const job_ids of [[], [0], [-1], [1.5], ["1"], "1", null, Array(101).fill(1)])
    expect([job_ids, (await daemon.post("/api/jobs/batch", { job_ids })).status]).toEqual([job_ids, 400]);
  const beyond = await daemon.post("/api/jobs/batch", { job_ids: [2 ** 53, 2 ** 70, 1e300] });
  expect(beyond as object).toEqual({ status: 200, body: { results: {} } });
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  expect((await daemon.post("/api/jobs/batch", { job_ids: hundred })).status).toBe(200);
});

test("a job without a branch is given one, and a branch that a job has stays", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const { store } = daemon.parts.services;
  const repoId = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "r" }).id;
  const [detached, onMain] = [
    storeReview(store, { repoId, gitRef: "a" }),
    storeReview(store, { repoId, gitRef: "b", branch: "main" }),
  ];
  const update = (body: object) => daemon.post("/api/job/update-branch", body) as Promise<object>;
  expect(await update({ job_id: detached, branch: "feature/ü" })).toEqual({
    status: 200,
    body: { updated: true },
  });
  for (const [job_id, branch] of [
    [detached, "other"],
    [onMain, "other"],
  ])
    expect(await update({ job_id, branch })).toEqual({ status: 200, body: { updated: false } });
  expect([detached, onMain].map((id) => store.jobs.get(id)?.branch)).toEqual(["feature/ü", "main"]);
  // What reminders look up by the branch finds it.
  expect(store.jobs.openFailed(repoId).map(({ branch }) => branch)).toEqual(["feature/ü", "main"]);
  expect(await update({ job_id: 999, branch: "x" })).toMatchObject({ status: 404 });
  for (const branch of ["", "a b", "a\nb", "a\u001b[2Jb", "-x", "/x", "a:b", "a\\b", "x".repeat(1025)])
    expect([branch, await update({ job_id: onMain, branch })]).toMatchObject([branch, { status: 400 }]);
});
