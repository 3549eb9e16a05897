import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Job } from "../../src/store/schema.ts";
import { isAlive } from "../support/alive.ts";
import { roborev } from "../support/binary.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { expectWithin } from "../support/limit.ts";
import { type TestRepo, testRepo } from "../support/repo.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const stopLimitMs = 5_000;
const workers = 4;

// A reviewer of this test's own that must not live on, should a test fail.
const started = new Set<number>();
afterEach(() => {
  for (const pid of started) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  started.clear();
});

interface Scene extends AsyncDisposable {
  dir: TempDir;
  repo: TestRepo;
  daemon: DaemonProcess;
  /** The reviewer processes on record. */
  reviewers: number[];
}

/** A daemon with four reviews running and one more waiting. */
async function busyDaemon(config = 'default_agent = "test"\n'): Promise<Scene> {
  const dir = tempDir({ "config.toml": config });
  const repo = testRepo();
  const daemon = await startDaemon(dir.path);
  for (let n = 0; n <= workers; n++) {
    const sha = repo.commit(`c${n}`, { [`f${n}.txt`]: "TEST-REVIEWER-SLEEP: 60000\n" });
    const answer = await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha });
    expect(answer.status).toBe(201);
  }
  const reviewers = await waitFor("four reviewers", () => {
    const pids = recorded(dir);
    return pids.length === workers && pids.every(isAlive) ? pids : undefined;
  });
  for (const pid of reviewers) started.add(pid);
  return {
    dir,
    repo,
    daemon,
    reviewers,
    async [Symbol.asyncDispose]() {
      await daemon.kill();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

function recorded(dir: TempDir): number[] {
  using database = new Database(dir.join("reviews.db"), { readonly: true });
  const rows = database
    .query<{ pid: number }, []>("SELECT agent_pid AS pid FROM review_jobs WHERE agent_pid IS NOT NULL")
    .all();
  return rows.map((row) => row.pid);
}

function jobs(dir: TempDir): Pick<Job, "status" | "retry_count">[] {
  using database = new Database(dir.join("reviews.db"), { readonly: true });
  return database
    .query<Pick<Job, "status" | "retry_count">, []>("SELECT status, retry_count FROM review_jobs ORDER BY id")
    .all();
}

/** What holds after every stop, however it was asked for. */
async function expectStopped({ dir, repo, daemon, reviewers }: Scene, sinceMs: number): Promise<void> {
  expect(await daemon.exited).toBe(0);
  expectWithin(performance.now() - sinceMs, stopLimitMs);
  expect(reviewers.filter(isAlive)).toEqual([]);
  expect(jobs(dir)).toEqual(
    Array.from({ length: workers + 1 }, () => ({ status: "queued", retry_count: 0 })),
  );
  expect(recorded(dir)).toEqual([]);
  expect([existsSync(dir.join("daemon.sock")), existsSync(dir.join("daemon.json"))]).toEqual([false, false]);
  expect(readdirSync(dir.join("worktrees"))).toEqual([]);
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "G17 %s ends four running reviews within 5 s; their jobs wait again and no retry is used",
  async (signal) => {
    await using scene = await busyDaemon();
    const sinceMs = performance.now();
    process.kill(scene.daemon.pid, signal);
    await expectStopped(scene, sinceMs);
  },
);

test("G17 `daemon stop` does the same, and the next start begins the waiting reviews", async () => {
  await using scene = await busyDaemon();
  const sinceMs = performance.now();
  const run = await roborev(["daemon", "stop"], { env: { ROBOREV_DATA_DIR: scene.dir.path } });
  expect(run).toEqual({ exitCode: 0, stdout: "Daemon stopped\n", stderr: "" });
  await expectStopped(scene, sinceMs);
  await using _next = await startDaemon(scene.dir.path);
  const again = await waitFor("the reviewers", () => {
    const pids = recorded(scene.dir);
    return pids.length === workers ? pids : undefined;
  });
  for (const pid of again) started.add(pid);
});

/** Claude Code as a program that reviews for ever and does not hear SIGTERM, and whose child does not either. */
async function deafReviewers(): Promise<Scene & { children: () => number[] }> {
  const home = tempDir();
  writeFileSync(
    home.join("claude"),
    `#!/bin/sh
case "$*" in *--help*) cat "${home.join("help")}"; exit 0;; *--version*) echo "2.1.0 (Claude Code)"; exit 0;; esac
trap '' TERM INT HUP
sh -c 'trap "" TERM INT HUP; echo $$ >> "${home.join("children")}"; while :; do sleep 1; done' &
while :; do sleep 1; done
`,
  );
  writeFileSync(home.join("help"), readFileSync(`${import.meta.dir}/../fixtures/agents/claude-help.txt`));
  writeFileSync(home.join("children"), "");
  chmodSync(home.join("claude"), 0o755);
  const scene = await busyDaemon(
    `default_agent = "claude-code"\nclaude_code_cmd = "${home.join("claude")}"\n`,
  );
  const children = () =>
    readFileSync(home.join("children"), "utf8").trim().split("\n").filter(Boolean).map(Number);
  await waitFor("their children", () => children().length === workers);
  for (const pid of children()) started.add(pid);
  return {
    ...scene,
    children,
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}

test("G17 reviewers that ignore SIGTERM are gone within 5 s as well, with their children", async () => {
  await using scene = await deafReviewers();
  const sinceMs = performance.now();
  process.kill(scene.daemon.pid, "SIGTERM");
  await expectStopped(scene, sinceMs);
  expect(scene.children().filter(isAlive)).toEqual([]);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "G17 a second %s ends it at once, and still no reviewer is left",
  async (signal) => {
    await using scene = await deafReviewers();
    process.kill(scene.daemon.pid, signal);
    await waitFor("the stop to begin", () =>
      readFileSync(scene.dir.join("daemon.log"), "utf8").includes("daemon stopping"),
    );
    const sinceMs = performance.now();
    process.kill(scene.daemon.pid, signal);
    await scene.daemon.exited;
    expectWithin(performance.now() - sinceMs, 1_000);
    await waitFor(
      "the reviewers' end",
      () => ![...scene.reviewers, ...scene.children()].some(isAlive),
      1_000,
    );
    expect([existsSync(scene.dir.join("daemon.sock")), existsSync(scene.dir.join("daemon.json"))]).toEqual([
      false,
      false,
    ]);
    // What the stop had no time for, the next start does.
    await using _next = await startDaemon(scene.dir.path);
    expect(jobs(scene.dir).map((job) => job.retry_count)).toEqual([0, 0, 0, 0, 0]);
  },
);

test("an interrupt while the daemon still starts is not lost", async () => {
  using dir = tempDir();
  const child = Bun.spawn([`${import.meta.dir}/../../dist/roborev`, "daemon", "run"], {
    env: { ...process.env, ROBOREV_DATA_DIR: dir.path },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await waitFor("the lock", () => existsSync(dir.join("daemon.lock.db")));
  child.kill("SIGINT");
  await child.exited;
  expect([existsSync(dir.join("daemon.sock")), existsSync(dir.join("daemon.json"))]).toEqual([false, false]);
});

test.each([
  ["says nothing", ""],
  [
    "sends half a request",
    "POST /api/enqueue HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
  ],
])("G17 a client that %s does not hold up a stop", async (_, text) => {
  using dir = tempDir();
  await using daemon = await startDaemon(dir.path);
  const opened = Promise.withResolvers<void>();
  const client = await Bun.connect({
    unix: dir.join("daemon.sock"),
    socket: {
      data() {},
      open(socket) {
        socket.write(text);
        opened.resolve();
      },
    },
  });
  await opened.promise;
  await daemon.send("GET", "/api/ping"); // a round trip later the daemon has accepted the other one as well
  const sinceMs = performance.now();
  process.kill(daemon.pid, "SIGTERM");
  expect(await daemon.exited).toBe(0);
  expectWithin(performance.now() - sinceMs, 3_000);
  expect(readFileSync(dir.join("daemon.log"), "utf8")).toContain('"end":"orderly"');
  client.end();
});
