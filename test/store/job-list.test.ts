import { expect, test } from "bun:test";
import fc from "fast-check";
import type { JobFilter } from "../../src/store/store.ts";
import { type StoreFixture, storeFixture } from "./store-fixture.ts";

const listed = (f: StoreFixture, filter: JobFilter) => f.store.jobs.list(filter).jobs.map((job) => job.id);

test("S09 newest first, fifty by default, paged by the last id", async () => {
  using f = await storeFixture();
  const ids = Array.from({ length: 55 }, (_, n) => f.enqueue({ gitRef: `r${n}` })).reverse();
  const first = f.store.jobs.list({});
  expect(first.jobs.map((job) => job.id)).toEqual(ids.slice(0, 50));
  expect(first.hasMore).toBe(true);
  const rest = f.store.jobs.list({ before: ids[49]! });
  expect(rest.jobs.map((job) => job.id)).toEqual(ids.slice(50));
  expect(rest.hasMore).toBe(false);
  expect(rest.stats).toEqual(first.stats);
  expect(listed(f, { limit: 0 })).toHaveLength(55);
  expect(f.store.jobs.list({ limit: 55 }).hasMore).toBe(false);
});

test("S09 filters by status, ref, type, branch and closing", async () => {
  using f = await storeFixture();
  const open = f.reviewed({ branch: "main", gitRef: "a" });
  const closed = f.reviewed({ branch: "main", gitRef: "b", jobType: "range" });
  f.store.reviews.setClosed(closed, true, "user");
  const queued = f.enqueue({ branch: "other", gitRef: "c" });
  const bare = f.enqueue({ gitRef: "d" });
  expect(listed(f, { status: "done" })).toEqual([closed, open]);
  expect(listed(f, { gitRef: "c" })).toEqual([queued]);
  expect(listed(f, { jobType: "range" })).toEqual([closed]);
  expect(listed(f, { branch: "main" })).toEqual([closed, open]);
  expect(listed(f, { branch: "other", branchIncludeEmpty: true })).toEqual([bare, queued]);
  expect(listed(f, { branch: "" })).toEqual([bare]);
  expect(listed(f, { closed: true })).toEqual([closed]);
  expect(listed(f, { closed: false })).toEqual([bare, queued, open]);
  expect(listed(f, { closed: false, status: "done", branch: "main" })).toEqual([open]);
});

test("the end of a range finds it, its beginning and a commit by itself do not", async () => {
  using f = await storeFixture();
  f.enqueue({ gitRef: "c" });
  const [first, second] = ["a..c", "b..c"].map((gitRef) => f.enqueue({ gitRef, jobType: "range" }));
  f.enqueue({ gitRef: "c..d", jobType: "range" });
  expect(listed(f, { rangeEnd: "c" })).toEqual([second as number, first as number]);
});

test("S09 statistics follow the filter, status and paging aside", async () => {
  using f = await storeFixture();
  f.reviewed({ branch: "main" });
  f.store.reviews.setClosed(f.reviewed({ branch: "main" }), true, "user");
  const last = f.reviewed({ branch: "other" });
  f.enqueue({ branch: "main" });
  const page = f.store.jobs.list({ branch: "main", status: "queued", before: last + 9, limit: 1 });
  expect(page.stats).toEqual({ done: 2, closed: 1, open: 1 });
  expect(f.store.jobs.list({}).stats).toEqual({ done: 3, closed: 1, open: 2 });
});

test("S09 a path prefix means the directory, whatever characters it has", async () => {
  using f = await storeFixture();
  const at = (rootPath: string) =>
    f.enqueue({ repoId: f.store.repos.getOrCreate({ rootPath, name: "x", identity: "" }).id });
  const inside = at("/a_b%!/one");
  at("/aXb%!/two");
  at("/a_b%!x/three");
  at("/A_B%!/four");
  at("/a_b%!");
  for (const repoPrefix of ["/a_b%!", "/a_b%!/"]) {
    expect(listed(f, { repoPrefix })).toEqual([inside]);
    expect(f.store.jobs.list({ repoPrefix }).stats).toEqual({ done: 0, closed: 0, open: 0 });
  }
  expect(listed(f, { repoPrefix: "/" })).toHaveLength(5);
  expect(listed(f, { repo: "/a_b%!/one", repoPrefix: "/nowhere" })).toEqual([inside]);
});

test("S09 any prefix lists exactly the repositories below it", async () => {
  using f = await storeFixture();
  const path = fc.array(fc.constantFrom("a", "A", "%", "_", "!", "b", "é"), { minLength: 1, maxLength: 4 });
  const paths = fc.array(
    path.map((parts) => `/${parts.join("/")}`),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(paths, path, (roots, prefix) => {
      f.store.transaction(() => {
        for (const rootPath of roots)
          f.enqueue({ repoId: f.store.repos.getOrCreate({ rootPath, name: "x", identity: "" }).id });
      });
      const repoPrefix = `/${prefix.join("/")}`;
      const all = f.store.jobs.list({ limit: 0 }).jobs;
      expect(listed(f, { repoPrefix, limit: 0 })).toEqual(
        all.filter((job) => job.repo_path!.startsWith(`${repoPrefix}/`)).map((job) => job.id),
      );
    }),
    { numRuns: 40 },
  );
});

test("lists leave out prompts, diffs and patches", async () => {
  using f = await storeFixture();
  const commitId = f.store.commits.getOrCreate({
    repoId: f.repoId,
    sha: "s",
    author: "a",
    subject: "the subject",
    timestamp: "t",
  });
  const id = f.enqueue({ diffContent: "+x", commitId });
  f.store.jobs.claim("w");
  f.store.jobs.savePrompt(id, "w", "secret", "test");
  const [job] = f.store.jobs.list({}).jobs;
  expect(job).toMatchObject({ id, commit_subject: "the subject", command_line: "test" });
  for (const absent of ["prompt", "diff_content", "patch"]) expect(job).not.toHaveProperty(absent);
  expect(f.store.jobs.get(id)).toMatchObject({ prompt: "secret", diff_content: "+x" });
});
