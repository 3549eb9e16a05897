import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { storeFixture } from "./store-fixture.ts";

test("closing says who and when, is idempotent, and can be taken back", async () => {
  using f = await storeFixture();
  const id = f.reviewed();
  const { reviews } = f.store;
  f.clock.advance(1000);
  expect(reviews.setClosed(id, true, "roborev-fix")).toBe(true);
  const closed = reviews.byJob(id)!;
  expect(closed).toMatchObject({
    closed: true,
    closed_by: "roborev-fix",
    closed_at: "2026-06-01T10:00:01.000Z",
    job: { closed: true },
  });
  f.clock.advance(1000);
  expect(reviews.setClosed(id, true, "user")).toBe(true);
  expect(reviews.byJob(id)).toEqual(closed);
  expect(reviews.setClosed(id, false, "user")).toBe(true);
  expect(reviews.byJob(id)).toMatchObject({ closed: false });
  expect(reviews.byJob(id)).not.toHaveProperty("closed_by");
});

test("a job without a review cannot be closed", async () => {
  using f = await storeFixture();
  expect(f.store.reviews.setClosed(f.enqueue(), true, "user")).toBe(false);
  expect(f.store.reviews.setClosed(999, true, "user")).toBe(false);
});

test("the newest review of a ref is found, in any repository or in the one that is named", async () => {
  using f = await storeFixture();
  const elsewhere = f.store.repos.getOrCreate({ rootPath: "/else", name: "e", identity: "e" }).id;
  f.reviewed({ gitRef: "a" });
  const here = f.reviewed({ gitRef: "a" });
  const there = f.reviewed({ gitRef: "a", repoId: elsewhere });
  f.enqueue({ gitRef: "a" }); // not reviewed yet
  expect(f.store.reviews.byRef("a")?.job_id).toBe(there);
  expect(f.store.reviews.byRef("a", "/repo")?.job_id).toBe(here);
  expect(f.store.reviews.byRef("a", "/nowhere")).toBeUndefined();
  expect(f.store.reviews.byRef("b")).toBeUndefined();
});

test("S10 comments of a job and, from older data, of its commit: each once, in the order of time", async () => {
  using f = await storeFixture();
  const commitId = f.store.commits.getOrCreate({
    repoId: f.repoId,
    sha: "s",
    author: "a",
    subject: "s",
    timestamp: "t",
  });
  const id = f.enqueue({ commitId });
  const other = f.enqueue({ gitRef: "b" });
  f.clock.advance(60_000);
  const second = f.store.comments.add({ jobId: id, responder: "roborev-fix", response: "fixed\nin abc" })!;
  f.store.comments.add({ jobId: other, responder: "dev", response: "elsewhere" });
  using db = new Database(f.path);
  const legacy = db.query(
    "INSERT INTO responses (uuid, job_id, commit_id, responder, response, created_at) VALUES (?, ?, ?, 'dev', ?, ?)",
  );
  legacy.run("u1", null, commitId, "first", "2026-06-01T10:00:00.000Z");
  legacy.run("u2", id, commitId, "third, on both", "2026-06-01T10:02:00.000Z");
  const comments = f.store.comments.forJob(id);
  expect(comments.map((comment) => comment.response)).toEqual(["first", "fixed\nin abc", "third, on both"]);
  expect(comments[1]).toEqual(second);
  expect(second).not.toHaveProperty("commit_id");
});

test("a comment on an unknown job is refused", async () => {
  using f = await storeFixture();
  expect(f.store.comments.add({ jobId: 999, responder: "dev", response: "x" })).toBeUndefined();
});

test("values are kept by key", async () => {
  using f = await storeFixture();
  expect(f.store.kv.get("k")).toBeUndefined();
  f.store.kv.set("k", "1");
  f.store.kv.set("k", "2");
  expect(f.store.kv.get("k")).toBe("2");
});

test("hostile text is stored and given back as it is", async () => {
  using f = await storeFixture();
  const text = "'; DROP TABLE reviews; --\u0000\u202e \ud83d\ude00 %_!\"`$(x)";
  const id = f.reviewed({ branch: text, gitRef: text }, { output: text });
  expect(f.store.reviews.byJob(id)).toMatchObject({ output: text, job: { branch: text, git_ref: text } });
  expect(f.store.jobs.openFailed(f.repoId).map((each) => each.jobId)).toEqual([id]);
  expect(f.store.jobs.list({ branch: text, gitRef: text }).jobs).toHaveLength(1);
});

test("a transaction keeps all of its calls or none", async () => {
  using f = await storeFixture();
  const { store } = f;
  expect(() =>
    store.transaction(() => {
      f.enqueue();
      store.kv.set("k", "v");
      throw new Error("stop");
    }),
  ).toThrow("stop");
  expect(store.jobs.list({}).jobs).toEqual([]);
  expect(store.kv.get("k")).toBeUndefined();
  store.transaction(() => {
    f.enqueue();
    // A failed inner transaction takes only its own changes back.
    expect(() => f.enqueue({ repoId: 999 })).toThrow("FOREIGN KEY");
    f.enqueue({ gitRef: "b" });
  });
  expect(store.jobs.list({}).jobs).toHaveLength(2);
  expect(() => store.transaction(async () => f.enqueue())).toThrow("synchronous");
});
