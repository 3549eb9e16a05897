import { describe, expect, test } from "bun:test";
import { review, type StoreFixture, storeFixture } from "./store-fixture.ts";

function rewritten(f: StoreFixture, oldSha: string, newSha: string, patchId = "p") {
  const commit = {
    repoId: f.repoId,
    sha: newSha,
    author: "a",
    subject: `subject of ${newSha}`,
    timestamp: "t",
  };
  const commitId = f.store.commits.getOrCreate(commit);
  return f.store.jobs.remap({ repoId: f.repoId, oldSha, newSha, patchId, commitId });
}

test("P04 reviews follow a commit whose patch stayed the same, with their comments and state", async () => {
  using f = await storeFixture();
  const id = f.reviewed({ gitRef: "old", patchId: "p", branch: "main" });
  f.store.comments.add({ jobId: id, responder: "dev", response: "on it" });
  const legacy = f.reviewed({ gitRef: "old", jobType: "range" });
  const other = f.reviewed({ gitRef: "old", patchId: "q" });
  const queued = f.enqueue({ gitRef: "old", reviewType: "security" });
  expect(rewritten(f, "old", "new")).toBe(3);
  expect(f.store.jobs.get(id)).toMatchObject({
    git_ref: "new",
    commit_subject: "subject of new",
    patch_id: "p",
  });
  expect(f.store.jobs.get(legacy)).toMatchObject({ git_ref: "new", patch_id: "p" });
  expect(f.store.jobs.get(queued)).toMatchObject({ git_ref: "new", status: "queued" });
  expect(f.store.jobs.get(other)).toMatchObject({ git_ref: "old", patch_id: "q" });
  expect(f.store.comments.forJob(id)).toHaveLength(1);
  expect(f.store.jobs.openFailed(f.repoId).map((each) => each.gitRef)).toContain("new");
  expect(f.store.reviews.byRef("new", "/repo")?.job_id).toBe(legacy);
});

test("a commit rewritten while its review runs gets its new SHA when the review ends, however it ends", async () => {
  using f = await storeFixture();
  const ends = {
    complete: (id: number) => f.store.jobs.complete(id, "w", review()),
    fail: (id: number) => f.store.jobs.fail(id, "w", "x"),
    cancel: (id: number) => f.store.jobs.cancel(id),
    skip: (id: number) => f.store.jobs.skip(id, "w", "x"),
    requeue: () => f.store.jobs.requeueRunning() === 1,
    release: (id: number) => f.store.jobs.release(id, "w"),
    retry: (id: number) => f.store.jobs.retry(id, "w", "x", f.clock.now()),
  };
  for (const [name, end] of Object.entries(ends)) {
    const id = f.enqueue({ gitRef: `old-${name}` });
    expect(f.store.jobs.claim("w")?.id).toBe(id);
    expect(rewritten(f, `old-${name}`, `new-${name}`)).toBe(1);
    expect(f.store.jobs.get(id)?.git_ref).toBe(`old-${name}`);
    expect(end(id)).toBe(true);
    const after = f.store.jobs.get(id);
    expect(after).toMatchObject({ git_ref: `new-${name}`, commit_subject: `subject of new-${name}` });
    if (after?.status === "queued") f.store.jobs.cancel(id);
  }
});

test("a commit that is already reviewed at its new SHA replaces the old review instead of doubling it", async () => {
  using f = await storeFixture();
  const old = f.reviewed({ gitRef: "old", patchId: "p" });
  const queued = f.enqueue({ gitRef: "new", source: "post_commit" });
  expect(rewritten(f, "old", "new")).toBe(0);
  expect(f.store.jobs.get(old)).toMatchObject({ git_ref: "old", superseded_by: "new" });
  expect(f.store.jobs.get(queued)?.git_ref).toBe("new");
  expect(f.store.jobs.openFailed(f.repoId)).toEqual([]);
});

test("a canceled or failed job at the new SHA does not keep the old review from moving there", async () => {
  using f = await storeFixture();
  const old = f.reviewed({ gitRef: "old", patchId: "p" });
  f.store.jobs.cancel(f.enqueue({ gitRef: "new" }));
  const failed = f.enqueue({ gitRef: "new" });
  f.store.jobs.claim("w");
  f.store.jobs.fail(failed, "w", "x");
  expect(rewritten(f, "old", "new")).toBe(1);
  expect(f.store.jobs.openFailed(f.repoId).map((each) => each.jobId)).toEqual([old]);
});

test("P04 a commit rewritten with other content leaves a superseded review, once, in its own repository", async () => {
  using f = await storeFixture();
  const elsewhere = f.store.repos.getOrCreate({ rootPath: "/else", name: "e", identity: "e" }).id;
  const id = f.reviewed({ gitRef: "old" });
  const foreign = f.reviewed({ gitRef: "old", repoId: elsewhere });
  const running = f.enqueue({ gitRef: "old", reviewType: "security" });
  f.store.jobs.claim("w");
  const change = { repoId: f.repoId, oldSha: "old", newSha: "new" };
  expect(f.store.jobs.supersede(change)).toBe(2);
  expect(f.store.jobs.supersede({ ...change, newSha: "newer" })).toBe(0);
  expect(f.store.jobs.get(id)?.superseded_by).toBe("new");
  f.store.jobs.complete(running, "w", review());
  expect(f.store.jobs.openFailed(f.repoId)).toEqual([]);
  expect(f.store.jobs.openFailed(elsewhere).map((each) => each.jobId)).toEqual([foreign]);
});

test("P04 a commit rewritten twice while its review runs gets the last SHA", async () => {
  using f = await storeFixture();
  const id = f.enqueue({ gitRef: "first", patchId: "p" });
  f.store.jobs.claim("w");
  expect([rewritten(f, "first", "second"), rewritten(f, "second", "third")]).toEqual([1, 1]);
  f.store.jobs.complete(id, "w", review());
  expect(f.store.jobs.get(id)).toMatchObject({ git_ref: "third", commit_subject: "subject of third" });
});

test("P04 a commit rewritten while its review runs, and then changed, is superseded all the same", async () => {
  using f = await storeFixture();
  const id = f.enqueue({ gitRef: "first", patchId: "p" });
  f.store.jobs.claim("w");
  rewritten(f, "first", "second");
  expect(f.store.jobs.supersede({ repoId: f.repoId, oldSha: "second", newSha: "third" })).toBe(1);
  f.store.jobs.complete(id, "w", review());
  expect(f.store.jobs.get(id)).toMatchObject({ git_ref: "second", superseded_by: "third" });
});

test("P04 what is superseded for good is closed, a review that is open no longer than that", async () => {
  using f = await storeFixture();
  const [changed, kept, twin] = [
    f.reviewed({ gitRef: "old" }),
    f.reviewed({ gitRef: "still there" }),
    f.reviewed({ gitRef: "same", patchId: "p" }),
  ];
  f.enqueue({ gitRef: "same again" });
  const { jobs, reviews } = f.store;
  jobs.supersede({ repoId: f.repoId, oldSha: "old", newSha: "new", closes: true });
  jobs.supersede({ repoId: f.repoId, oldSha: "still there", newSha: "new" });
  const change = { repoId: f.repoId, oldSha: "same", newSha: "same again", patchId: "p", commitId: 1 };
  jobs.remap({ ...change, closes: true });
  expect([changed, kept, twin].map((id) => reviews.byJob(id)?.closed_by)).toEqual([
    "auto",
    undefined,
    "auto",
  ]);
});

describe("ranges", () => {
  test("those of a branch, by what they are going to be called", async () => {
    using f = await storeFixture();
    const on = (branch: string, gitRef: string) => f.enqueue({ branch, gitRef, jobType: "range" });
    const [one, two] = [on("main", "a..b"), on("main", "a..c")];
    on("other", "a..b");
    f.enqueue({ branch: "main", gitRef: "b" });
    f.store.jobs.claim("w");
    f.store.jobs.moveRange(one, "a..x");
    f.store.jobs.moveRange(two, "a..y");
    const refs = () => f.store.jobs.ranges({ repoId: f.repoId, branch: "main" });
    expect(refs()).toEqual([
      { id: one, git_ref: "a..x", status: "running" },
      { id: two, git_ref: "a..y", status: "queued" },
    ]);
    expect(f.store.jobs.get(one)?.git_ref).toBe("a..b");
    f.store.jobs.complete(one, "w", review());
    expect(f.store.jobs.get(one)?.git_ref).toBe("a..x");
    f.store.jobs.supersedeRange(one, { newSha: "z", closes: true });
    expect(f.store.jobs.get(one)).toMatchObject({ superseded_by: "z", closed: true });
    expect(refs().map(({ id }) => id)).toEqual([two]);
  });
});
