import { expect, test } from "bun:test";
import type { NewJob } from "../../src/store/job-input.ts";
import { storeFixture } from "./store-fixture.ts";

async function scene() {
  const f = await storeFixture();
  const job = (changes: Partial<NewJob> = {}): NewJob => ({
    repoId: f.repoId,
    gitRef: "a",
    jobType: "review",
    agent: "test",
    reasoning: "fast",
    branch: "main",
    source: "post_commit",
    notBefore: new Date(f.clock.now().getTime() + 10_000),
    ...changes,
  });
  const { jobs } = f.store;
  return {
    f,
    jobs,
    job,
    add: (changes: Partial<NewJob> = {}) => jobs.enqueue(job(changes)).job,
    settling: (branch = "main") => jobs.settling({ repoId: f.repoId, branch })?.id,
    [Symbol.dispose]: () => f[Symbol.dispose](),
  };
}

test("a job of a commit hook waits for its branch until its time has come", async () => {
  using s = await scene();
  const { id } = s.add();
  expect(s.settling()).toBe(id);
  expect(s.settling("other")).toBeUndefined();
  expect(s.jobs.claim("w")).toBeUndefined();
  s.f.clock.advance(10_000);
  expect(s.settling()).toBeUndefined();
  expect(s.jobs.claim("w")?.id).toBe(id);
});

test("a job that was asked for, of another kind, canceled or tried before, does not wait for its branch", async () => {
  using s = await scene();
  s.jobs.enqueue({ ...s.job(), source: "" });
  s.add({ reviewType: "security" });
  s.jobs.cancel(s.add({ gitRef: "b" }).id);
  const tried = s.add({ gitRef: "c", notBefore: s.f.clock.now() });
  s.jobs.claim("w");
  s.jobs.retry(tried.id, "w", "x", new Date(s.f.clock.now().getTime() + 10_000));
  expect(s.settling()).toBeUndefined();
});

test("it is replaced under its number and in its place, and only as it was seen", async () => {
  using s = await scene();
  const seen = s.add({ patchId: "p", model: "one" });
  const range = s.job({ gitRef: "a^..b", jobType: "range", agent: "codex" });
  const replaced = s.jobs.replaceSettling(seen, range);
  expect(replaced).toMatchObject({
    id: seen.id,
    git_ref: "a^..b",
    job_type: "range",
    agent: "codex",
    status: "queued",
    enqueued_at: seen.enqueued_at,
  });
  for (const gone of ["patch_id", "model", "commit_id"]) expect(replaced).not.toHaveProperty(gone);
  expect(s.jobs.replaceSettling(seen, range)).toBeUndefined();
  s.f.clock.advance(10_000);
  s.jobs.claim("w");
  expect(s.jobs.replaceSettling(replaced as typeof seen, range)).toBeUndefined();
});

test("P06 a commit that is the end of what its hook queued is not queued again, one in the middle of it is", async () => {
  using s = await scene();
  const { id } = s.add({ gitRef: "a..b", jobType: "range" });
  expect(s.jobs.enqueue(s.job({ gitRef: "b" }))).toMatchObject({ duplicate: true, job: { id } });
  expect(s.jobs.enqueue(s.job({ gitRef: "b", branch: "other" })).duplicate).toBe(false);
  expect(s.jobs.enqueue({ ...s.job({ gitRef: "b" }), source: "" }).duplicate).toBe(false);
  expect(s.jobs.enqueue(s.job({ gitRef: "c" })).duplicate).toBe(false);
});
