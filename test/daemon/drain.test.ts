import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import type { Job } from "../../src/store/schema.ts";
import { binary, roborev } from "../support/binary.ts";
import { connectTo } from "../support/connection.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** A daemon with one worker that reviews for so long, while another job waits. */
async function busyDaemon(reviewMs: number) {
  const dir = tempDir({ "config.toml": 'default_agent = "test"\nmax_workers = 1\n' });
  const repo = testRepo();
  const daemon = await startDaemon(dir.path);
  const enqueue = async (name: string, content: string): Promise<number> => {
    const sha = repo.commit(name, { [name]: content });
    const { status, body } = await daemon.send("POST", "/api/enqueue", {
      repo_path: repo.path,
      git_ref: sha,
    });
    expect(status).toBe(201);
    return (body as Job).id;
  };
  const running = await enqueue("slow", `TEST-REVIEWER-SLEEP: ${reviewMs}\n`);
  const queued = await enqueue("quick", "fine\n");
  const env = { ROBOREV_DATA_DIR: dir.path };
  /** Of whichever daemon there is now. */
  const ask = async (path: string) => {
    using connection = await connectTo(daemon.socket);
    return (await connection.send("GET", path)).body;
  };
  const job = async (id: number) => ((await ask(`/api/jobs?id=${id}`)) as { jobs: Job[] }).jobs[0] as Job;
  await waitFor("the reviewer", () => existsSync(dir.join(`logs/jobs/${running}.log`)));
  return {
    dir,
    daemon,
    running,
    queued,
    enqueue,
    job,
    status: async () => (await ask("/api/status")) as DaemonStatus,
    cli: (...argv: string[]) => roborev(argv, { env }),
    untilDone: (id: number) => waitFor(`job ${id}`, async () => (await job(id)).status === "done"),
    async [Symbol.asyncDispose]() {
      await roborev(["daemon", "stop"], { env });
      await daemon.kill();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("D06 a restart waits for the running review, takes commits meanwhile, and the next daemon reviews them", async () => {
  await using s = await busyDaemon(1500);
  const restart = s.cli("daemon", "restart");
  await waitFor("the wait", async () => (await s.status()).draining);
  const late = await s.enqueue("late", "fine\n");
  expect([(await s.job(s.running)).status, (await s.job(s.queued)).status]).toEqual(["running", "queued"]);
  const { exitCode, stdout, stderr } = await restart;
  expect([exitCode, stderr]).toEqual([0, "Waiting for 1 review to end\n"]);
  expect(stdout).toMatch(/^Daemon restarted \(pid \d+, /);
  expect(await s.daemon.exited).toBe(0);
  expect(await s.job(s.running)).toMatchObject({ status: "done", retry_count: 0 });
  const worker = (job: Job) => job.worker_id?.split("-")[0];
  for (const id of [s.queued, late]) await s.untilDone(id);
  expect(worker(await s.job(s.running))).toBe(String(s.daemon.pid));
  for (const id of [s.queued, late]) expect(worker(await s.job(id))).not.toBe(String(s.daemon.pid));
});

test("D06 an interrupting restart has the review begin anew without using up a retry, and its log as well", async () => {
  await using s = await busyDaemon(60_000);
  const { exitCode, stderr } = await s.cli("daemon", "restart", "--running=interrupt");
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(await s.daemon.exited).toBe(0);
  await waitFor("the reviewer again", async () => (await s.job(s.running)).status === "running");
  expect(await s.job(s.running)).toMatchObject({ retry_count: 0 });
  await s.cli("daemon", "stop");
  expect(existsSync(s.dir.join(`logs/jobs/${s.running}.log`))).toBe(false);
});

test("D06 a restart that may neither wait nor interrupt fails while a review runs, which goes on", async () => {
  await using s = await busyDaemon(500);
  const { exitCode, stdout, stderr } = await s.cli("daemon", "restart", "--running=abort");
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^Error: 1 review is running\. [^\n]+\n$/);
  for (const id of [s.running, s.queued]) await s.untilDone(id);
  expect((await s.status()).pid).toBe(s.daemon.pid);
  await waitFor("the worker", async () => (await s.status()).active_workers === 0);
  expect((await s.cli("daemon", "restart", "--running=abort")).exitCode).toBe(0);
  expect((await s.status()).pid).not.toBe(s.daemon.pid);
});

test("D06 a restart that is interrupted while it waits is called off: the daemon goes on, the next job as well", async () => {
  await using s = await busyDaemon(1500);
  const restart = Bun.spawn([binary, "daemon", "restart"], {
    env: { ...process.env, ROBOREV_DATA_DIR: s.dir.path },
    stdout: "pipe",
    stderr: "pipe",
  });
  await waitFor("the wait", async () => (await s.status()).draining);
  restart.kill("SIGINT");
  expect(await restart.exited).toBe(130);
  expect((await s.status()).draining).toBe(false);
  for (const id of [s.running, s.queued]) await s.untilDone(id);
  expect((await s.status()).pid).toBe(s.daemon.pid);
});

test("D06 what its user cancels while a restart waits stays canceled, and a stop need not wait", async () => {
  await using s = await busyDaemon(60_000);
  const restart = s.cli("daemon", "restart");
  await waitFor("the wait", async () => (await s.status()).draining);
  expect((await s.cli("cancel", String(s.running))).exitCode).toBe(0);
  expect((await restart).exitCode).toBe(0);
  await s.untilDone(s.queued);
  expect((await s.job(s.running)).status).toBe("canceled");
});

test("S01 a pause outlives a restart, and so does the end of it", async () => {
  await using s = await busyDaemon(300);
  expect((await s.cli("pause")).exitCode).toBe(0);
  await s.untilDone(s.running);
  await s.cli("daemon", "restart");
  expect(await s.status()).toMatchObject({ queue_paused: true, queued_jobs: 1, running_jobs: 0 });
  expect((await s.cli("status")).stdout).toContain("\nQueue    paused. Go on with: roborev unpause\n");
  expect((await s.cli("unpause")).exitCode).toBe(0);
  await s.untilDone(s.queued);
  expect((await s.status()).queue_paused).toBe(false);
});
