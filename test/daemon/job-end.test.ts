import { expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createConfigCache } from "../../src/config/load.ts";
import { dataPaths } from "../../src/config/paths.ts";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import { ErrorRing } from "../../src/daemon/error-ring.ts";
import { openParts } from "../../src/daemon/parts.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/open.ts";
import type { Job } from "../../src/store/schema.ts";
import { isAlive } from "../support/alive.ts";
import { roborev } from "../support/binary.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** A program that is asked as Claude Code, and that never ends: it writes its own pid and its child's, which `child` starts. */
function endlessReviewer(child = "sleep 600 & echo $$ $!") {
  const dir = tempDir({
    claude: `#!/bin/sh
here=\${0%/*}
case "$*" in *--help*) cat "$here/help"; exit 0;; esac
{ ${child}; } >> "$here/pids"
while :; do sleep 1; done
`,
    help: readFileSync(`${import.meta.dir}/../fixtures/agents/claude-help.txt`, "utf8"),
    pids: "",
  });
  chmodSync(dir.join("claude"), 0o755);
  return {
    config: `default_agent = "claude-code"\nclaude_code_cmd = "${dir.join("claude")}"\n`,
    pids: () => readFileSync(dir.join("pids"), "utf8").split(/\s+/).filter(Boolean).map(Number),
    [Symbol.dispose]() {
      dir[Symbol.dispose]();
    },
  };
}

test("D11 `cancel` ends the reviewer of a running job and its children; the job stays canceled", async () => {
  using reviewer = endlessReviewer();
  using dir = tempDir({ "config.toml": reviewer.config });
  using repo = testRepo();
  await using daemon = await startDaemon(dir.path);
  const sha = repo.commit("c", { "a.txt": "fine\n" });
  const { id } = (await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha }))
    .body as Job;
  const job = async () => ((await daemon.send("GET", `/api/jobs?id=${id}`)).body as { jobs: Job[] }).jobs[0];
  await waitFor("the reviewer and its child", () => reviewer.pids().length === 2);
  const run = await roborev(["cancel", String(id)], { env: { ROBOREV_DATA_DIR: dir.path } });
  expect(run).toEqual({ exitCode: 0, stdout: `Job ${id} canceled\n`, stderr: "" });
  await waitFor("their end", () => !reviewer.pids().some(isAlive));
  const active = async () =>
    ((await daemon.send("GET", "/api/status")).body as { active_workers: number }).active_workers;
  await waitFor("the worker", async () => (await active()) === 0);
  expect(await job()).toMatchObject({ status: "canceled", retry_count: 0 });
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
});

const onLinux = test.skipIf(process.platform !== "linux");

onLinux("D11 `cancel` and a crash also end what left the reviewer's group and session", async () => {
  // A child of nobody: its parent ends at once.
  using reviewer = endlessReviewer("(setsid sh -c 'echo $$; exec sleep 600' &); echo $$");
  using dir = tempDir({ "config.toml": reviewer.config });
  using repo = testRepo();
  const sha = repo.commit("c", { "a.txt": "fine\n" });
  const started = (count: number) => waitFor("the reviewer", () => reviewer.pids().length === count);
  const ended = () => waitFor("their end", () => !reviewer.pids().some(isAlive));
  {
    await using daemon = await startDaemon(dir.path);
    const enqueue = () => daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha });
    const { id } = (await enqueue()).body as Job;
    await started(2);
    await daemon.send("POST", "/api/job/cancel", { job_id: id });
    await ended();
    await enqueue();
    await started(4);
    await daemon.kill();
  }
  expect(reviewer.pids().filter(isAlive)).toHaveLength(2);
  await using daemon = await startDaemon(dir.path);
  await started(6); // of the review that begins anew
  expect(reviewer.pids().slice(0, 4).filter(isAlive)).toEqual([]);
  await daemon.send("POST", "/api/shutdown", {});
  await daemon.exited;
  await ended();
});

test("D11 a job that still waits can be canceled, and never runs", async () => {
  using reviewer = endlessReviewer();
  using dir = tempDir({ "config.toml": `${reviewer.config}max_workers = 1\n` });
  using repo = testRepo();
  await using daemon = await startDaemon(dir.path);
  for (const name of ["a", "b"]) {
    const sha = repo.commit(name, { [name]: "fine\n" });
    await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha });
  }
  const env = { ROBOREV_DATA_DIR: dir.path };
  await waitFor("the first", () => reviewer.pids().length === 2);
  expect((await roborev(["cancel", "2"], { env })).exitCode).toBe(0);
  expect((await roborev(["cancel", "1"], { env })).exitCode).toBe(0);
  const status = async () => (await daemon.send("GET", "/api/status")).body as Record<string, number>;
  await waitFor("the worker", async () => (await status()).active_workers === 0);
  expect(await status()).toMatchObject({ canceled_jobs: 2, queued_jobs: 0 });
  expect(reviewer.pids()).toHaveLength(2);
  const again = await roborev(["cancel", "2"], { env });
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toMatch(/^Error: job 2 [^\n]+ canceled[^\n]*\n$/);
});

test("D12 a review beyond its time is ended as a group and tried again, in the end failed as a time-out", async () => {
  using reviewer = endlessReviewer();
  using dir = tempDir();
  using repo = testRepo();
  chmodSync(dir.path, 0o700);
  const paths = dataPaths(dir.path);
  writeFileSync(paths.config, reviewer.config);
  // The file knows whole minutes; this much is enough to see one pass.
  const cache = createConfigCache();
  const config: typeof cache = {
    async loadOrKeep(path) {
      const { loaded } = await cache.loadOrKeep(path);
      return { loaded: { ...loaded, config: { ...loaded.config, job_timeout_minutes: 0.5 / 60 } } };
    },
  };
  const log = { info() {}, warn() {}, error() {}, close: async () => {} };
  const errors = new ErrorRing(systemClock);
  const parts = await openParts({ paths, config, workers: 1, errors, log });
  try {
    const sha = repo.commit("c", { "a.txt": "fine\n" });
    const { id } = (await parts.services.enqueue.enqueue({ repo_path: repo.path, git_ref: sha })) as Job;
    const job = () => parts.services.store.jobs.get(id) as Job;
    parts.start();
    await waitFor("the retry", () => job().retry_count === 1);
    expect(job().status).toBe("queued");
    expect(job().error).toBe("claude-code did not finish within 0.5 s");
    expect(reviewer.pids().length).toBe(2);
    expect(reviewer.pids().filter(isAlive)).toEqual([]);
  } finally {
    await parts.stopWork();
    await parts.close();
  }
  // Out of retries, the time-out is the job's result.
  const store = await openStore(paths.database, { clock: systemClock });
  try {
    const claimed = await waitFor("the pause before the next try", () => store.jobs.claim("w"));
    expect(store.jobs.retry(claimed.id, "w", "x", new Date(0))).toBe(true);
    expect(store.jobs.retry(store.jobs.claim("w")?.id as number, "w", "x", new Date(0))).toBe(true);
  } finally {
    store.close();
  }
  const last = await openParts({ paths, config, workers: 1, errors, log });
  try {
    last.start();
    const job = () => last.services.store.jobs.list({ limit: 0 }).jobs[0] as Job;
    await waitFor("the failure", () => job().status === "failed");
    expect(job()).toMatchObject({ retry_count: 3, error: "claude-code did not finish within 0.5 s" });
    expect(reviewer.pids().filter(isAlive)).toEqual([]);
  } finally {
    await last.stopWork();
    await last.close();
  }
}, 120_000);

test("D13 a review whose log has nowhere to go is completed, and the daemon's log tells of it", async () => {
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n', "logs/jobs": "not a directory" });
  using repo = testRepo();
  await using daemon = await startDaemon(dir.path);
  const sha = repo.commit("c", { "a.txt": "fine\n" });
  await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha });
  const done = async () => ((await daemon.send("GET", "/api/status")).body as DaemonStatus).completed_jobs;
  await waitFor("the review", async () => (await done()) === 1);
  expect(readFileSync(dir.join("daemon.log"), "utf8")).toContain("log of job 1: ");
});
