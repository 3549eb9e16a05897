import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { isTrusted, trustHooks } from "../../src/daemon/review-hooks/trust.ts";
import { testDaemon } from "../support/daemon.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

async function scene() {
  const dir = tempDir();
  const repo = testRepo();
  repo.commit("one", { "a.ts": "1\n" });
  const daemon = await testDaemon(dir.join("data"));
  await daemon.post("/api/enqueue", { repo_path: repo.path, agent: "test" });
  return {
    dir,
    repo,
    daemon,
    store: daemon.parts.services.store,
    list: async () => ((await daemon.get("/api/repos")).body as { repos: { root_path: string }[] }).repos,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}
const digest = "d".repeat(64);

test("S12 a repository with jobs is deleted with --cascade only, one with a running job not at all", async () => {
  await using s = await scene();
  const remove = (more: object = {}) =>
    s.daemon.post("/api/repos/delete", { repo_path: s.repo.path, ...more });
  expect(await remove()).toMatchObject({
    status: 409,
    body: { code: "E_CONFLICT", error: `${s.repo.path} has 1 job` },
  });
  s.store.jobs.claim("worker");
  expect(await remove({ cascade: true })).toMatchObject({ status: 409, body: { error: "job 1 is running" } });
  s.store.jobs.release(1, "worker");
  trustHooks(s.store, s.repo.path, digest);
  expect(await remove({ cascade: true })).toEqual({ status: 200, body: { deleted_jobs: 1 } as never });
  expect(await s.list()).toEqual([]);
  expect(isTrusted(s.store, s.repo.path, digest)).toBe(false);
  expect(await remove()).toMatchObject({ status: 404 });
});

test("S12 a repository that was moved on disk keeps its jobs, and is trusted nowhere", async () => {
  await using s = await scene();
  trustHooks(s.store, s.repo.path, digest);
  const moved = `${s.dir.path}/moved`;
  renameSync(s.repo.path, moved);
  const answer = await s.daemon.post("/api/repos/move", { repo_path: s.repo.path, new_path: moved });
  expect(answer).toMatchObject({ status: 200, body: { root_path: moved, identity: `local://${moved}` } });
  expect(await s.list()).toMatchObject([{ root_path: moved, job_count: 1 }]);
  expect(isTrusted(s.store, s.repo.path, digest) || isTrusted(s.store, moved, digest)).toBe(false);
  const again = await s.daemon.post("/api/repos/move", { repo_path: moved, new_path: moved });
  expect(again).toMatchObject({ status: 200, body: { root_path: moved } });
  renameSync(moved, s.repo.path);
});

test("S12 a repository cannot be moved to one that is known, to another one, or to no repository", async () => {
  await using s = await scene();
  using other = testRepo();
  other.commit("one", { "b.ts": "1\n" });
  const move = (to: string) => s.daemon.post("/api/repos/move", { repo_path: s.repo.path, new_path: to });
  await s.daemon.post("/api/repos/register", { repo_path: other.path });
  expect(await move(other.path)).toMatchObject({ status: 409, body: { code: "E_CONFLICT" } });
  await s.daemon.post("/api/repos/delete", { repo_path: other.path });
  s.store.repos.move(1, { rootPath: s.repo.path, identity: "https://example.com/shop" });
  expect(await move(other.path)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining("is another repository") },
  });
  expect(await move(s.dir.path)).toMatchObject({ body: { code: "E_NOT_A_REPO" } });
  expect(await s.list()).toMatchObject([{ root_path: s.repo.path }]);
});

test("S12 repositories are merged and renamed, and what cannot be is refused", async () => {
  await using s = await scene();
  using other = testRepo();
  other.commit("one", { "b.ts": "1\n" });
  await s.daemon.post("/api/repos/register", { repo_path: other.path });
  const merge = (from: string, into: string) =>
    s.daemon.post("/api/repos/merge", { from_path: from, into_path: into });
  expect(await merge(other.path, other.path)).toMatchObject({ status: 409 });
  expect(await merge("/nowhere", other.path)).toMatchObject({ status: 404 });
  expect(await merge(s.repo.path, other.path)).toMatchObject({
    status: 200,
    body: { moved_jobs: 1, repo: { root_path: other.path } },
  });
  expect(await s.list()).toMatchObject([{ root_path: other.path, job_count: 1 }]);
  const rename = (name: string) => s.daemon.post("/api/repos/rename", { repo_path: other.path, name });
  expect(await rename("web\u001b[2J\nshop")).toMatchObject({ status: 200, body: { name: "web [2J shop" } });
  expect((await rename(" \n")).status).toBe(400);
});
