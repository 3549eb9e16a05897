import { expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import { review, storeFixture } from "./store-fixture.ts";

test("S01 jobs are claimed in the order they were asked for, ids break ties", async () => {
  using f = await storeFixture();
  const [first, second] = [f.enqueue(), f.enqueue({ gitRef: "b" })];
  f.clock.advance(1);
  const third = f.enqueue({ gitRef: "c" });
  expect([1, 2, 3, 4].map((n) => f.store.jobs.claim(`w${n}`)?.id)).toEqual([first, second, third, undefined]);
});

test("S01 two connections never claim the same job", async () => {
  using f = await storeFixture();
  const ids = Array.from({ length: 40 }, (_, n) => f.enqueue({ gitRef: `ref${n}` }));
  const other = await openStore(f.path, { clock: f.clock });
  const claimed: (number | undefined)[] = [];
  for (let n = 0; n < 20; n++) claimed.push(f.store.jobs.claim("w1")?.id, other.jobs.claim("w2")?.id);
  other.close();
  expect(claimed).toEqual(ids);
});

test("S01 a paused queue yields nothing until it goes on", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  f.store.kv.set("queue_paused", "1");
  expect(f.store.jobs.claim("w")).toBeUndefined();
  f.store.kv.set("queue_paused", "0");
  expect(f.store.jobs.claim("w")?.id).toBe(id);
});

test("a claimed job carries everything a worker needs and leaves out what is unknown", async () => {
  using f = await storeFixture();
  f.enqueue({
    gitRef: "dirty",
    jobType: "dirty",
    diffContent: "+x",
    branch: "main",
    minSeverity: "medium",
    worktreePath: "",
  });
  const job = f.store.jobs.claim("w");
  expect(job).toMatchObject({
    status: "running",
    worker_id: "w",
    started_at: "2026-06-01T10:00:00.000Z",
    diff_content: "+x",
    branch: "main",
    min_severity: "medium",
    agentic: false,
    prompt_prebuilt: false,
    repo_path: "/repo",
    repo_name: "repo",
    retry_count: 0,
  });
  for (const absent of ["worktree_path", "error", "closed", "verdict", "commit_id", "evidence", "prompt"])
    expect(job).not.toHaveProperty(absent);
});

test("S02 completing a canceled job changes nothing and says so", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  f.store.jobs.claim("w");
  expect(f.store.jobs.cancel(id)).toBe(true);
  expect(f.store.jobs.complete(id, "w", review())).toBe(false);
  expect(f.store.jobs.get(id)?.status).toBe("canceled");
  expect(f.store.reviews.byJob(id)).toBeUndefined();
  expect(f.store.jobs.cancel(id)).toBe(false);
});

test("S03 a worker that lost its job cannot change it any more", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  f.store.jobs.claim("old");
  f.store.jobs.release(id, "old");
  f.store.jobs.claim("new");
  const { jobs } = f.store;
  const before = jobs.get(id);
  expect([
    jobs.complete(id, "old", review()),
    jobs.fail(id, "old", "x"),
    jobs.skip(id, "old", "x"),
    jobs.retry(id, "old", "x", f.clock.now()),
    jobs.release(id, "old"),
    jobs.savePrompt(id, "old", "x", "x"),
    jobs.recordProcess(id, "old", { pid: 1, startTime: "1" }),
  ]).toEqual([false, false, false, false, false, false, false]);
  expect(jobs.get(id)).toEqual(before);
  expect(jobs.complete(id, "new", review())).toBe(true);
});

test("S05 a retried job waits for its time while others run, and keeps the reason until it is done", async () => {
  using f = await storeFixture();
  const retried = f.enqueue();
  const other = f.enqueue({ gitRef: "b" });
  f.store.jobs.claim("w");
  f.store.jobs.retry(retried, "w", "rate limit", new Date(f.clock.now().getTime() + 2000));
  expect(f.store.jobs.get(retried)).toMatchObject({ status: "queued", retry_count: 1, error: "rate limit" });
  expect(f.store.jobs.get(retried)).not.toHaveProperty("worker_id");
  expect(f.store.jobs.claim("w")?.id).toBe(other);
  f.clock.advance(1999);
  expect(f.store.jobs.claim("w")).toBeUndefined();
  f.clock.advance(1);
  expect(f.store.jobs.claim("w")?.id).toBe(retried);
  f.store.jobs.complete(retried, "w", review());
  expect(f.store.jobs.get(retried)).not.toHaveProperty("error");
});

test("S06 jobs of a daemon that died are queued again without losing a retry, its processes are known until then", async () => {
  using f = await storeFixture();
  const [running, canceled, gone] = [f.enqueue(), f.enqueue({ gitRef: "b" }), f.enqueue({ gitRef: "c" })];
  for (const [n, id] of [running, canceled, gone].entries()) {
    f.store.jobs.claim("dead");
    f.store.jobs.recordProcess(id, "dead", { pid: 100 + n, startTime: `t${n}` });
  }
  f.store.jobs.cancel(canceled); // its process group may have outlived the daemon as well
  f.store.jobs.fail(gone, "dead", "exit 1");
  expect(f.store.jobs.orphanProcesses()).toEqual([
    { pid: 100, startTime: "t0" },
    { pid: 101, startTime: "t1" },
  ]);
  expect(f.store.jobs.requeueRunning()).toBe(1);
  expect(f.store.jobs.orphanProcesses()).toEqual([]);
  expect(f.store.jobs.get(running)).toMatchObject({ status: "queued", retry_count: 0 });
  expect(f.store.jobs.counts()).toMatchObject({ queued: 1, running: 0, canceled: 1, failed: 1, done: 0 });
});

test("failing and skipping say why", async () => {
  using f = await storeFixture();
  const [failed, skipped] = [f.enqueue(), f.enqueue({ gitRef: "b" })];
  f.store.jobs.claim("w");
  f.store.jobs.claim("w");
  f.store.jobs.savePrompt(failed, "w", "p", "test --x");
  f.store.jobs.fail(failed, "w", "no-verdict: nothing");
  f.store.jobs.skip(skipped, "w", "empty diff");
  expect(f.store.jobs.get(failed)).toMatchObject({
    status: "failed",
    error: "no-verdict: nothing",
    prompt: "p",
    command_line: "test --x",
    finished_at: "2026-06-01T10:00:00.000Z",
  });
  expect(f.store.jobs.get(skipped)).toMatchObject({ status: "skipped", skip_reason: "empty diff" });
});

test("P06 a post-commit job exists once for its ref, an explicit one again, a canceled one frees the slot", async () => {
  using f = await storeFixture();
  const job = {
    repoId: f.repoId,
    gitRef: "a",
    jobType: "review",
    agent: "test",
    reasoning: "fast",
    source: "post_commit",
  } as const;
  const first = f.store.jobs.enqueue(job);
  expect(first.duplicate).toBe(false);
  expect(f.store.jobs.enqueue(job)).toMatchObject({ duplicate: true, job: { id: first.job.id } });
  const { source: _, ...explicit } = job;
  const second = f.store.jobs.enqueue(explicit);
  expect(second.duplicate).toBe(false);
  f.store.jobs.cancel(first.job.id);
  f.store.jobs.cancel(second.job.id);
  expect(f.store.jobs.enqueue(job).duplicate).toBe(false);
});

test("D11 the process of a job that was canceled in the moment of its start is on record until its worker lets go", async () => {
  using f = await storeFixture();
  const { jobs } = f.store;
  const id = f.enqueue();
  jobs.claim("w");
  jobs.cancel(id);
  expect(jobs.savePrompt(id, "w", "x", "x")).toBe(false);
  expect(jobs.recordProcess(id, "w", { pid: 7, startTime: "t" })).toBe(true);
  expect(jobs.orphanProcesses()).toEqual([{ pid: 7, startTime: "t" }]);
  expect(jobs.interruptedRepos()).toEqual(["/repo"]);
  expect(jobs.letGo(id, "another")).toBe(false);
  expect(jobs.letGo(id, "w")).toBe(true);
  expect(jobs.orphanProcesses()).toEqual([]);
  expect(jobs.interruptedRepos()).toEqual([]);
  expect(jobs.get(id)?.status).toBe("canceled");
});

test("S06 what a dead daemon was working on, canceled or not, is known until its successor has mended it", async () => {
  using f = await storeFixture();
  const { jobs, repos } = f.store;
  const { id: other } = repos.getOrCreate({ rootPath: "/other", name: "o", identity: "o" });
  const { id: idle } = repos.getOrCreate({ rootPath: "/idle", name: "i", identity: "i" });
  f.enqueue();
  const canceled = f.enqueue({ repoId: other });
  jobs.claim("dead");
  jobs.claim("dead");
  jobs.cancel(canceled);
  jobs.cancel(f.enqueue({ repoId: idle }));
  expect(jobs.interruptedRepos().toSorted()).toEqual(["/other", "/repo"]);
  expect(jobs.requeueRunning()).toBe(1);
  expect(jobs.interruptedRepos()).toEqual([]);
});
