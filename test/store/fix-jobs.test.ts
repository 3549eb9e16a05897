import { expect, test } from "bun:test";
import type { NewJob } from "../../src/store/job-input.ts";
import { review, type StoreFixture, storeFixture } from "./store-fixture.ts";

const bytes = new Uint8Array([0x2d, 0xff, 0x61, 0x0a]); // no UTF-8

function fixJob({ store, repoId }: StoreFixture, parentJobId: number): Partial<NewJob> {
  const commit = {
    repoId,
    sha: "b".repeat(40),
    author: "A",
    subject: "Base",
    timestamp: "2026-01-01T00:00:00Z",
  };
  const commitId = store.commits.getOrCreate(commit);
  return { jobType: "fix", gitRef: `fix #${parentJobId}`, commitId, fix: { parentJobId, prompt: "mend it" } };
}

const answer = { patch: bytes, output: "FINDING 1: FIXED - done", findings: [] };

/** A finished fix of a finished review. */
function done(fixture: StoreFixture, patch = bytes): { parent: number; fix: number } {
  const parent = fixture.reviewed();
  const { evidence: _, verdict: __, ...unjudged } = review({ ...answer, patch });
  const fix = fixture.enqueue(fixJob(fixture, parent));
  fixture.store.jobs.claim("worker");
  expect(fixture.store.jobs.complete(fix, "worker", unjudged)).toBe(true);
  return { parent, fix };
}

test("a fix keeps its parent, its base, its prompt and, with its answer, the very bytes of its patch", async () => {
  using fixture = await storeFixture();
  const { parent, fix } = done(fixture);
  const job = fixture.store.jobs.get(fix);
  expect(job).toMatchObject({
    ...{ status: "done", job_type: "fix", agentic: true, parent_job_id: parent, prompt: "mend it" },
    ...{ git_ref: `fix #${parent}`, base_sha: "b".repeat(40), commit_subject: "Base" },
  });
  expect(job).not.toHaveProperty("verdict");
  expect(job).not.toHaveProperty("closed");
  expect(fixture.store.jobs.patch(fix)).toEqual(bytes);
  expect(fixture.store.jobs.patch(parent)).toBeUndefined();
  expect(fixture.store.reviews.byJob(fix)?.verdict_bool).toBeUndefined();
});

test("a large patch is no part of its job, which is asked for again and again, but whole where it is asked for", async () => {
  using fixture = await storeFixture();
  const small = new Uint8Array(256 * 1024).fill(0x61);
  expect(fixture.store.jobs.get(done(fixture, small).fix)?.patch).toHaveLength(small.length);
  const large = new Uint8Array(small.length + 1).fill(0xff);
  const { fix } = done(fixture, large);
  expect(fixture.store.jobs.get(fix)).not.toHaveProperty("patch");
  expect(fixture.store.jobs.patch(fix)).toEqual(large);
});

test("S11 a fix is no review: not for reminders, nor open or closed, nor in the counts of a list", async () => {
  using fixture = await storeFixture();
  const { parent, fix } = done(fixture);
  const { jobs, reviews } = fixture.store;
  expect(jobs.openFailed(fixture.repoId).map(({ jobId }) => jobId)).toEqual([parent]);
  const ids = (filter: Parameters<typeof jobs.list>[0]) => jobs.list(filter).jobs.map(({ id }) => id);
  expect(ids({})).toEqual([fix, parent]);
  expect(ids({ closed: false })).toEqual([parent]);
  expect(ids({ exceptJobType: "fix" })).toEqual([parent]);
  reviews.setClosed(fix, true, "user");
  expect(ids({ closed: true })).toEqual([]);
  expect(jobs.list({}).stats).toEqual({ done: 1, closed: 0, open: 1 });
  // Its base is a commit with no review of its own.
  expect(reviews.byRef("b".repeat(40))).toBeUndefined();
});

test("only a fix that is done becomes applied or rebased, once", async () => {
  using fixture = await storeFixture();
  const { parent, fix } = done(fixture);
  const { jobs } = fixture.store;
  expect(jobs.settleFix(parent, "applied")).toBe(false);
  expect(jobs.settleFix(fix, "applied")).toBe(true);
  expect(jobs.settleFix(fix, "rebased")).toBe(false);
  expect(jobs.get(fix)?.status).toBe("applied");
  expect(jobs.rerun(fix)).toBe(false);
  expect(jobs.cancel(fix)).toBe(false);
  expect(jobs.patch(fix)).toEqual(bytes);
});

test("S07 a fix that runs again keeps its prompt and its base, and loses its patch", async () => {
  using fixture = await storeFixture();
  const { fix } = done(fixture);
  const { jobs, reviews } = fixture.store;
  expect(jobs.rerun(fix)).toBe(true);
  expect(jobs.get(fix)).toMatchObject({ status: "queued", prompt: "mend it", base_sha: "b".repeat(40) });
  expect(jobs.patch(fix)).toBeUndefined();
  expect(reviews.byJob(fix)).toBeUndefined();
  expect(reviews.attempts(fix)).toHaveLength(1);
});

test("S02 the patch of a worker that lost its job is not stored", async () => {
  using fixture = await storeFixture();
  const parent = fixture.reviewed();
  const fix = fixture.enqueue(fixJob(fixture, parent));
  fixture.store.jobs.claim("worker");
  fixture.store.jobs.cancel(fix);
  expect(fixture.store.jobs.complete(fix, "worker", review(answer))).toBe(false);
  expect(fixture.store.jobs.patch(fix)).toBeUndefined();
});
