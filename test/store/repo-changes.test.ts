import { expect, test } from "bun:test";
import { storeFixture } from "./store-fixture.ts";

const sha = (digit: string) => digit.repeat(40);
const commit = (repoId: number, digit: string) => ({
  repoId,
  sha: sha(digit),
  author: "a",
  subject: `subject ${digit} of ${repoId}`,
  timestamp: "2026-01-01T00:00:00Z",
});

test("S12 a merged repository leaves its jobs, reviews and commits to the other, and a commit of both is one", async () => {
  using f = await storeFixture();
  const { store } = f;
  const other = store.repos.getOrCreate({ rootPath: "/other", name: "other", identity: "id" }).id;
  const mine = store.commits.getOrCreate(commit(f.repoId, "a"));
  const twin = store.commits.getOrCreate(commit(other, "a"));
  const single = store.commits.getOrCreate(commit(other, "b"));
  const first = f.reviewed({ gitRef: sha("a"), commitId: mine });
  const second = f.reviewed({ repoId: other, gitRef: sha("a"), commitId: twin });
  const third = f.reviewed({ repoId: other, gitRef: sha("b"), commitId: single });
  store.comments.add({ jobId: second, responder: "me", response: "kept" });

  expect(store.repos.merge(other, f.repoId)).toBe(2);
  expect(store.repos.findByRoot("/other")).toBeUndefined();
  expect(store.jobs.list({ repo: "/repo" }).jobs.map(({ id }) => id)).toEqual([third, second, first]);
  expect([first, second, third].map((id) => store.jobs.get(id)?.commit_id)).toEqual([mine, mine, single]);
  expect(store.jobs.get(third)?.commit_subject).toBe(`subject b of ${other}`);
  expect(store.reviews.byRef(sha("b"), "/repo")?.job_id).toBe(third);
  expect(store.comments.forJob(second)).toMatchObject([{ response: "kept" }]);
  expect(store.jobs.openFailed(f.repoId).map(({ jobId }) => jobId)).toHaveLength(3);
  expect(store.check()).toEqual([]);
});

test("S12 a repository that was moved or renamed is found as it is now, at once, and none takes an occupied path", async () => {
  using f = await storeFixture();
  const { repos } = f.store;
  f.enqueue();
  expect(repos.findByRoot("/repo")?.name).toBe("repo"); // remembered
  repos.rename(f.repoId, "shop");
  expect(repos.findByRoot("/repo")?.name).toBe("shop");
  expect(repos.findByRoot("/new")).toBeUndefined();
  repos.move(f.repoId, { rootPath: "/new", identity: "id 2" });
  expect(repos.findByRoot("/repo")).toBeUndefined();
  expect(repos.findByRoot("/new")).toMatchObject({ id: f.repoId, name: "shop", identity: "id 2" });
  expect(f.store.jobs.list({ repo: "/new" }).jobs).toHaveLength(1);
  repos.getOrCreate({ rootPath: "/repo", name: "repo", identity: "" });
  expect(() => repos.move(f.repoId, { rootPath: "/repo", identity: "" })).toThrow();
  expect(repos.findByRoot("/new")?.id).toBe(f.repoId);
});

test("S12 a repository is removed with its jobs, reviews, comments and snoozes", async () => {
  using f = await storeFixture();
  const id = f.reviewed();
  f.store.comments.add({ jobId: id, responder: "me", response: "gone" });
  const now = f.clock.now();
  const until = new Date(now.getTime() + 60_000);
  f.store.snoozes.set({ repoId: f.repoId, worktreePath: "/repo", branch: "", until });
  expect(f.store.snoozes.until(f.repoId, "/repo", "", now)).toEqual(until);
  f.store.repos.remove(f.repoId);
  expect(f.store.repos.findByRoot("/repo")).toBeUndefined();
  expect([f.store.jobs.get(id), f.store.reviews.byJob(id)]).toEqual([undefined, undefined]);
  expect(f.store.snoozes.until(f.repoId, "/repo", "", now)).toBeUndefined();
});

test("the running job of a repository is known, one that waits is none", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  expect(f.store.repos.runningJob(f.repoId)).toBeUndefined();
  f.store.jobs.claim("worker");
  expect(f.store.repos.runningJob(f.repoId)).toBe(id);
});
