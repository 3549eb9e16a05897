import { expect, test } from "bun:test";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import { extendCooldown } from "../../src/review/cooldowns.ts";
import type { Job } from "../../src/store/schema.ts";
import { testDaemon } from "../support/daemon.ts";
import { testRepo } from "../support/repo.ts";
import { storeReview } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

async function scene(options: { workers: number }) {
  const dir = tempDir({ "data/config.toml": 'default_agent = "test"\n' });
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"), options);
  return {
    daemon,
    store: daemon.parts.services.store,
    enqueue: async () =>
      ((await daemon.post("/api/enqueue", { repo_path: repo.path, git_ref: "HEAD" })).body as Job).id,
    status: async () => (await daemon.get("/api/status")).body as DaemonStatus,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("S01 nothing begins during a pause, and all that waited does at its end", async () => {
  await using s = await scene({ workers: 1 });
  expect(await s.daemon.post("/api/queue/pause", {})).toEqual({
    status: 200,
    body: { paused: true } as never,
  });
  const id = await s.enqueue();
  s.daemon.parts.services.engine.wake();
  expect([(await s.status()).queue_paused, s.store.jobs.get(id)?.status]).toEqual([true, "queued"]);
  expect((await s.daemon.post("/api/queue/unpause", {})).body as unknown).toEqual({ paused: false });
  // At once, not with the next look at the queue.
  await waitFor("its beginning", () => s.store.jobs.get(id)?.status !== "queued", 1500);
  expect((await s.status()).queue_paused).toBe(false);
});

test("A07 the status names the reviewers that rest, and until when", async () => {
  await using s = await scene({ workers: 0 });
  expect((await s.status()).agent_cooldowns).toEqual([]);
  const now = new Date();
  const until = new Date(now.getTime() + 60_000);
  extendCooldown(s.store.kv, { agent: "codex", until, reason: "usage limit" }, now);
  expect((await s.status()).agent_cooldowns).toEqual([
    { agent: "codex", until: until.toISOString(), reason: "usage limit" },
  ]);
});

test("a job that does not end when it should makes the workers unhealthy, by its number", async () => {
  await using s = await scene({ workers: 1 });
  const workers = async () => (await s.status()).components.find(({ name }) => name === "workers");
  expect(await workers()).toEqual({ name: "workers", healthy: true });
  const { engine } = s.daemon.parts.services;
  engine.stalled = () => [7];
  expect((await workers())?.message).toContain("job 7 should have ended long ago");
  engine.stalled = () => [7, 9];
  expect(await workers()).toMatchObject({ healthy: false });
  expect((await workers())?.message).toContain("jobs 7, 9 should have ended");
  expect((await s.status()).healthy).toBe(false);
});

test("D06 a daemon is told to stop in one of three ways, and in no other", async () => {
  await using s = await scene({ workers: 1 });
  const shutdown = (body: object) => s.daemon.post("/api/shutdown", body);
  expect((await shutdown({ mode: "later" })).status).toBe(400);
  expect(s.daemon.stops).toBe(0);
  for (const [n, body] of [{}, { mode: "interrupt" }, { mode: "abort" }, { mode: "wait" }].entries()) {
    expect((await shutdown(body)).status).toBe(202);
    await waitFor("the stop", () => s.daemon.stops === n + 1);
  }
});

test("S07 a job whose commit is gone is not run again, and its review stays", async () => {
  using repo = testRepo();
  await using s = await scene({ workers: 1 });
  const sha = repo.commit("gone", { "a.ts": "fine\n" });
  const { id: repoId } = s.store.repos.getOrCreate({
    rootPath: repo.path,
    name: "shop",
    identity: "local://x",
  });
  const id = storeReview(s.store, { repoId, gitRef: sha });
  repo.git("reset", "-q", "--hard", "HEAD~1");
  repo.git("reflog", "expire", "--expire=now", "--all");
  repo.git("gc", "-q", "--prune=now");
  const again = await s.daemon.post("/api/job/rerun", { job_id: id });
  expect(again).toMatchObject({ status: 400, body: { code: "E_REF" } });
  expect(s.store.jobs.get(id)?.status).toBe("done");
  expect(s.store.reviews.byJob(id)).toBeDefined();
});
