import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { roborev } from "../support/binary.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { expectWithin } from "../support/limit.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** A repository with hooks and a daemon of this data directory that accepts connections and does nothing. */
async function hungDaemon() {
  const dir = tempDir({ "data/config.toml": 'default_agent = "test"\n' });
  const repo = testRepo();
  const env = { ROBOREV_DATA_DIR: dir.join("data") };
  const daemon = await startDaemon(dir.join("data"));
  await roborev(["init"], { cwd: repo.path, env });
  const timed = async (args: string[], stdin = "") => {
    const startedAt = performance.now();
    const run = await roborev(args, { cwd: repo.path, env, stdin });
    return { ...run, tookMs: performance.now() - startedAt };
  };
  process.kill(daemon.pid, "SIGSTOP");
  return {
    repo,
    daemon,
    env,
    timed,
    socket: dir.join("data/daemon.sock"),
    missed: () => readFileSync(dir.join("data/missed-commits.jsonl"), "utf8"),
    hook: (event: object) =>
      timed(
        ["agent-hook", "run", "--agent", "claude"],
        JSON.stringify({ session_id: "s", cwd: repo.path, ...event }),
      ),
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("P02 a hung daemon: the hook answers in time with nothing, a commit is silent, quick and kept", async () => {
  await using at = await hungDaemon();
  const before = {
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "git commit -m x" },
  };
  const [pre, stop] = await Promise.all([at.hook(before), at.hook({ hook_event_name: "Stop" })]);
  for (const { stdout, stderr, exitCode } of [pre, stop]) {
    expect([stdout, exitCode]).toEqual(["{}\n", 0]);
    expect(stderr).toMatch(/^roborev agent-hook: the daemon did not answer within \d+ ms\n$/);
  }
  expectWithin(pre.tookMs, 3_000);
  expectWithin(stop.tookMs, 5_000);

  // Git itself, with the installed hook.
  at.repo.write("a.txt", "BUG: a\n");
  at.repo.git("add", "-A");
  const startedAt = performance.now();
  const commit = Bun.spawnSync(["git", "commit", "-q", "-m", "hung"], {
    cwd: at.repo.path,
    env: { ...process.env, ...at.env },
    stderr: "pipe",
  });
  expect([commit.exitCode, commit.stdout.toString(), commit.stderr.toString()]).toEqual([0, "", ""]);
  expectWithin(performance.now() - startedAt, 3_000);
  const sha = at.repo.git("rev-parse", "HEAD");
  expect(JSON.parse(at.missed())).toMatchObject({ repo: at.repo.path, sha });

  // Nothing was lost: the next daemon reviews it.
  await at.daemon.kill();
  await using next = await startDaemon(at.env.ROBOREV_DATA_DIR);
  await waitFor("the review", async () => {
    const { body } = await next.send("GET", `/api/jobs?git_ref=${sha}&status=done`);
    return (body as { jobs: unknown[] }).jobs.length === 1;
  });
}, 120_000);

test("a hung daemon: commands say so in one line with what to do, and status does not fail", async () => {
  await using at = await hungDaemon();
  const runs = await Promise.all(
    [["list"], ["review"], ["show"], ["agent-hook", "status"], ["daemon", "start"]].map((args) =>
      at.timed(args),
    ),
  );
  for (const { stdout, stderr, exitCode, tookMs } of runs) {
    expect([stdout, exitCode]).toEqual(["", 1]);
    expect(stderr).toBe(
      `Error: the daemon on ${at.socket} accepts connections but does not answer. Restart it with: roborev daemon restart\n`,
    );
    expectWithin(tookMs, 5_000);
  }
  expect(await at.timed(["status"])).toMatchObject({
    stdout: "Daemon   unavailable: the daemon does not answer. Restart it with: roborev daemon restart\n",
    stderr: "",
    exitCode: 0,
  });
}, 120_000);

test("a hung daemon is restarted by the command that every message names, and jobs go on", async () => {
  await using at = await hungDaemon();
  const restart = await at.timed(["daemon", "restart"]);
  expect(restart).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Daemon restarted (pid ") });
  expectWithin(restart.tookMs, 7_000);
  const review = await at.timed(["review", "--wait", "--quiet"]);
  expect([review.stderr, review.exitCode]).toEqual(["", 0]);
  expect((await at.timed(["daemon", "stop"])).stdout).toBe("Daemon stopped\n");
}, 120_000);
