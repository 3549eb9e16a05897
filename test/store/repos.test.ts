import { expect, test } from "bun:test";
import { storeFixture } from "./store-fixture.ts";

test("a repository is registered once per root path", async () => {
  using f = await storeFixture();
  const { repos } = f.store;
  expect(repos.findByRoot("/repo")).toEqual({
    id: f.repoId,
    root_path: "/repo",
    name: "repo",
    identity: "id",
    active: true,
    created_at: "2026-06-01T10:00:00.000Z",
  });
  expect(repos.getOrCreate({ rootPath: "/repo", name: "other", identity: "" })).toEqual(
    repos.findByRoot("/repo")!,
  );
  expect(repos.getOrCreate({ rootPath: "/repo", name: "repo", identity: "new remote" }).identity).toBe(
    "new remote",
  );
  expect(repos.findByRoot("/Repo")).toBeUndefined();
});

test("a repository with jobs is kept, inactive, until it is asked for again", async () => {
  using f = await storeFixture();
  f.enqueue();
  expect(f.store.repos.unregister("/repo", { purge: false })).toBe("deactivated");
  expect(f.store.repos.list()).toMatchObject([{ root_path: "/repo", active: false, job_count: 1 }]);
  f.store.repos.getOrCreate({ rootPath: "/repo", name: "repo", identity: "id" });
  expect(f.store.repos.findByRoot("/repo")).toMatchObject({ id: f.repoId, active: true });
});

test("a repository without jobs is deleted", async () => {
  using f = await storeFixture();
  expect(f.store.repos.unregister("/repo", { purge: false })).toBe("deleted");
  expect(f.store.repos.unregister("/repo", { purge: false })).toBe("unknown");
  expect(f.store.repos.list()).toEqual([]);
});

test("S12 purging deletes everything of that repository and nothing else, and its ids are not used again", async () => {
  using f = await storeFixture();
  const elsewhere = f.store.repos.getOrCreate({ rootPath: "/else", name: "e", identity: "e" }).id;
  const kept = f.reviewed({ repoId: elsewhere });
  const commit = { repoId: f.repoId, sha: "s", author: "a", subject: "s", timestamp: "t" };
  const gone = f.reviewed({ commitId: f.store.commits.getOrCreate(commit) });
  f.store.comments.add({ jobId: gone, responder: "dev", response: "x" });
  f.store.jobs.rerun(gone);
  expect(f.store.repos.unregister("/repo", { purge: true })).toBe("deleted");
  expect(f.store.jobs.list({}).jobs.map((job) => job.id)).toEqual([kept]);
  expect(f.store.reviews.attempts(gone)).toEqual([]);
  expect(f.store.comments.forJob(gone)).toEqual([]);
  expect(f.enqueue({ repoId: elsewhere })).toBe(gone + 1);
  expect(f.store.check()).toEqual([]);
});

test("a commit is stored once per repository", async () => {
  using f = await storeFixture();
  const commit = { repoId: f.repoId, sha: "s", author: "a", subject: 'it\'s "quoted"; DROP', timestamp: "t" };
  const id = f.store.commits.getOrCreate(commit);
  expect(f.store.commits.getOrCreate(commit)).toBe(id);
  const elsewhere = f.store.repos.getOrCreate({ rootPath: "/else", name: "e", identity: "e" }).id;
  expect(f.store.commits.getOrCreate({ ...commit, repoId: elsewhere })).not.toBe(id);
});

test("what is remembered of a repository is never what a transaction saw that was rolled back", async () => {
  using f = await storeFixture();
  const { repos } = f.store;
  expect(repos.findByRoot("/new")).toBeUndefined();
  expect(() =>
    f.store.transaction(() => {
      repos.getOrCreate({ rootPath: "/new", name: "new", identity: "n" });
      repos.unregister("/repo", { purge: true });
      expect(repos.findByRoot("/new")).toMatchObject({ name: "new" });
      expect(repos.findByRoot("/repo")).toBeUndefined();
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(repos.findByRoot("/new")).toBeUndefined();
  expect(repos.findByRoot("/repo")).toMatchObject({ id: f.repoId, active: true });
});

test("every change of a repository is seen by the very next look, also by one that was remembered as unknown", async () => {
  using f = await storeFixture();
  const { repos } = f.store;
  for (let look = 0; look < 2; look++) expect(repos.findByRoot("/new")).toBeUndefined();
  repos.getOrCreate({ rootPath: "/new", name: "new", identity: "n" });
  for (let look = 0; look < 2; look++) expect(repos.findByRoot("/new")).toMatchObject({ identity: "n" });
  repos.getOrCreate({ rootPath: "/new", name: "new", identity: "m" });
  expect(repos.findByRoot("/new")).toMatchObject({ identity: "m" });
  repos.unregister("/new", { purge: false });
  expect(repos.findByRoot("/new")).toBeUndefined();
});
