import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { openFailedQuery } from "../../src/store/open-failed.ts";
import type { JobType } from "../../src/store/schema.ts";
import { expectWithin } from "../support/limit.ts";
import { review, type StoreFixture, storeFixture } from "./store-fixture.ts";

const ids = (reviews: { jobId: number }[]) => reviews.map((each) => each.jobId);

test("S11 only failed, open, live reviews of code count, oldest first", async () => {
  using f = await storeFixture();
  const { jobs, reviews } = f.store;
  const counted = (["review", "range", "dirty", "compact"] as JobType[]).map((jobType) =>
    f.reviewed({ jobType, gitRef: jobType, branch: "main" }),
  );
  f.reviewed({ branch: "main" }, { verdict: "P" });
  f.reviewed({ branch: "main", jobType: "task" });
  f.reviewed({ branch: "main", jobType: "insights" });
  f.reviewed({ branch: "main", jobType: "fix" });
  const closed = f.reviewed({ branch: "main" });
  reviews.setClosed(closed, true, "user");
  f.reviewed({ branch: "main", gitRef: "old" });
  jobs.supersede({ repoId: f.repoId, oldSha: "old", newSha: "new" });
  jobs.cancel(f.enqueue({ branch: "main" }));
  const failed = f.enqueue({ branch: "main" });
  jobs.claim("w");
  jobs.fail(failed, "w", "x");
  expect(ids(jobs.openFailed(f.repoId))).toEqual(counted);
  expect(jobs.settled([closed, counted[0]!, failed, 999])).toEqual(new Set([closed, failed, 999]));
});

test("S11 all of the repository, with what decides which checkout they belong to, and none of another", async () => {
  using f = await storeFixture();
  const none = f.reviewed({ gitRef: "sha" });
  const main = f.reviewed({ branch: "main", worktreePath: "/tree", gitRef: "a..b", jobType: "range" });
  const other = f.reviewed({ branch: "other" });
  const elsewhere = f.store.repos.getOrCreate({ rootPath: "/else", name: "e", identity: "e" }).id;
  f.reviewed({ repoId: elsewhere, branch: "main" });
  expect(f.store.jobs.openFailed(f.repoId)).toEqual([
    { jobId: none, jobType: "review", gitRef: "sha", branch: "", worktreePath: "" },
    { jobId: main, jobType: "range", gitRef: "a..b", branch: "main", worktreePath: "/tree" },
    { jobId: other, jobType: "review", gitRef: "a".repeat(40), branch: "other", worktreePath: "" },
  ]);
});

test("the flag that triggers keep equals the definition after any sequence of changes", async () => {
  using f = await storeFixture();
  using db = new Database(f.path, { readonly: true });
  const defined = db.query<{ id: number }, []>(`
    SELECT j.id FROM review_jobs j JOIN reviews v ON v.job_id = j.id
    WHERE j.status = 'done' AND j.job_type IN ('review', 'range', 'dirty', 'compact') AND j.superseded_by IS NULL
      AND v.verdict_bool = 0 AND v.closed = 0 ORDER BY j.id`);
  fc.assert(
    fc.property(actions, (actions) => {
      f.store.transaction(() => {
        for (const [name, pick, flag] of actions) apply(f, name, pick, flag);
      });
      expect(f.store.jobs.openFailed(f.repoId).map((each) => each.jobId)).toEqual(
        defined.all().map((row) => row.id),
      );
    }),
    { numRuns: 60 },
  );
});

test("whenever the answer is another one, a change was counted; reading counts none", async () => {
  using f = await storeFixture();
  const answer = () => JSON.stringify(f.store.jobs.openFailed(f.repoId));
  let [seen, changes] = [answer(), f.store.changes()];
  let different = 0;
  fc.assert(
    fc.property(actions, (actions) => {
      for (const [name, pick, flag] of actions) {
        apply(f, name, pick, flag);
        const now = answer();
        if (now !== seen) {
          expect(f.store.changes()).toBeGreaterThan(changes);
          different++;
        }
        [seen, changes] = [now, f.store.changes()];
      }
    }),
    { numRuns: 40 },
  );
  expect(different).toBeGreaterThan(10);
  answer();
  expect(f.store.changes()).toBe(changes);
});

const action = fc.tuple(
  fc.constantFrom("enqueue", "claim", "review", "close", "reopen", "rerun", "cancel", "supersede", "remap"),
  fc.nat(),
  fc.boolean(),
);
const actions = fc.array(action, { minLength: 10, maxLength: 40, size: "max" });

const types: JobType[] = ["review", "range", "dirty", "compact", "task"];
const sha = (n: number) => `sha${n % 4}`;

function apply({ store, enqueue, repoId }: StoreFixture, name: string, pick: number, flag: boolean) {
  const newest = store.jobs.list({ limit: 8 }).jobs;
  const id = newest[pick % newest.length]?.id ?? 0;
  if (name === "enqueue") enqueue({ gitRef: sha(pick), jobType: types[pick % 5]!, patchId: "p" });
  if (name === "claim") store.jobs.claim("w");
  if (name === "review") {
    enqueue({ gitRef: sha(pick), jobType: types[pick % 5]!, patchId: "p" });
    const claimed = store.jobs.claim("w")!;
    store.jobs.complete(claimed.id, "w", review({ verdict: flag ? "P" : "F" }));
  }
  if (name === "close") store.reviews.setClosed(id, true, "user");
  if (name === "reopen") store.reviews.setClosed(id, false, "user");
  if (name === "rerun") store.jobs.rerun(id);
  if (name === "cancel") store.jobs.cancel(id);
  const rewrite = { repoId, oldSha: sha(pick), newSha: sha(pick + 1) };
  if (name === "supersede") store.jobs.supersede(rewrite);
  if (name === "remap") {
    const commit = { repoId, sha: rewrite.newSha, author: "a", subject: "s", timestamp: "t" };
    store.jobs.remap({ ...rewrite, patchId: "p", commitId: store.commits.getOrCreate(commit) });
  }
}

test("the look-up of a hook uses the partial index and no scan of 20,000 reviews", async () => {
  using f = await storeFixture();
  f.store.transaction(() => {
    for (let n = 0; n < 20_000; n++)
      f.reviewed({ branch: `b${n % 200}`, gitRef: `r${n}` }, { verdict: n % 100 ? "P" : "F" });
  });
  using db = new Database(f.path, { readonly: true });
  const plan = db
    .query<{ detail: string }, [number]>(`EXPLAIN QUERY PLAN ${openFailedQuery}`)
    .all(1)
    .map((row) => row.detail)
    .filter((detail) => /SEARCH|SCAN/.test(detail));
  expect(plan).toHaveLength(1);
  expect(plan[0]).toStartWith("SEARCH review_jobs USING INDEX review_jobs_open_failed (repo_id=?");
  const started = performance.now();
  for (let n = 0; n < 200; n++) expect(f.store.jobs.openFailed(f.repoId)).toHaveLength(200);
  // Generous for a loaded machine; a scan of the table takes milliseconds per look-up.
  expectWithin((performance.now() - started) / 200, 1.5);
}, 120_000);
