import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { hookWarnings } from "../../src/cli/status-text.ts";
import { dataPaths } from "../../src/config/paths.ts";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import type { HookStatus } from "../../src/git/hooks/status.ts";
import { reply } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { testJob } from "./fixtures.ts";
import { place } from "./place.ts";
import { runCli } from "./run-cli.ts";

const daemon: DaemonStatus = {
  version: "1.2.3",
  pid: 99,
  uptime_seconds: 3725,
  socket: "/s",
  data_dir: "/d",
  queued_jobs: 1,
  running_jobs: 2,
  completed_jobs: 3,
  failed_jobs: 4,
  canceled_jobs: 0,
  skipped_jobs: 5,
  applied_jobs: 0,
  rebased_jobs: 0,
  active_workers: 2,
  max_workers: 4,
  queue_paused: false,
  draining: false,
  agent_cooldowns: [],
  healthy: false,
  config_reload_counter: 0,
  components: [
    { name: "database", healthy: true },
    { name: "agent_hook", healthy: false, message: "state.json cannot be read\x1b[1m" },
  ],
  active_snoozes: [],
  recent_errors: [
    { ts: "2026-01-01T11:00:00.000Z", component: "review", message: "codex\nis missing", job_id: 7 },
    { ts: "2025-12-01T00:00:00.000Z", component: "review", message: "long ago" },
  ],
};
const routes = {
  "GET /api/status": () => daemon,
  "GET /api/jobs": () => ({ jobs: [testJob()], has_more: false, stats: {} }),
};
const now = new Date("2026-01-01T12:00:00Z");

test("status is one screen: daemon, workers, jobs, health, errors of a day, the latest jobs", async () => {
  await using at = place(routes);
  const result = await at.cli(["status"], { now, cwd: "/" });
  expect(result).toEqual({
    code: 0,
    stderr: "",
    stdout: [
      "Daemon   running for 1h02m, version 1.2.3, pid 99",
      "Workers  2 of 4 busy",
      "Jobs     1 queued, 2 running, 3 completed, 4 failed, 5 skipped",
      "Health   DEGRADED",
      "  + database",
      "  ! agent_hook: state.json cannot be read [1m",
      "Errors   1 error in the last 24 hours",
      "  1h00m ago  review (job 7): codex is missing",
      "",
      "ID  SHA      Repo  Agent  Status  P/F  Closed  Time",
      "7   aaaaaaa  shop  codex  done    F    no      1m03s",
      "",
    ].join("\n"),
  });
  expect(at.daemon.of("GET /api/jobs")[0]?.query).toEqual({ limit: "10" });
});

test("62 active snoozes stand between health and jobs, in local time, and a hostile name is one clean cell", async () => {
  const snooze = { repo_name: "shop", repo_path: "/src/shop", snoozed_until: "2026-01-02T15:04:05.000Z" };
  const active_snoozes = [
    { ...snooze, worktree_path: "/src/shop", branch: "main" },
    { ...snooze, worktree_path: "/src/shop", branch: "" },
    { ...snooze, worktree_path: "/src/s\x1b[1mhop\n", branch: "a\x1b[31m\u202e\nb" },
    { ...snooze, worktree_path: "/src/shop", branch: "\u200b" },
  ];
  await using at = place({ ...routes, "GET /api/status": () => ({ ...daemon, active_snoozes }) });
  const lines = (await at.cli(["status"], { now, cwd: "/" })).stdout.split("\n");
  expect(lines.slice(7, -3)).toEqual([
    "  1h00m ago  review (job 7): codex is missing",
    "",
    "Active Snoozes:",
    "Repo  Worktree       Branch                       Until",
    "shop  /src/shop      main                         Jan 02 15:04 UTC",
    "shop  /src/shop      detached HEAD                Jan 02 15:04 UTC",
    "shop  /src/s [1mhop  a [31m b                     Jan 02 15:04 UTC",
    "shop  /src/shop      a name that cannot be shown  Jan 02 15:04 UTC",
    "",
  ]);
  const { stdout } = await at.cli(["status", "--json"], { now });
  expect(JSON.parse(stdout).daemon.active_snoozes).toEqual(active_snoozes);
});

test("62 a daemon of before snoozes has none to show", async () => {
  const { active_snoozes: _, ...older } = daemon;
  await using at = place({ ...routes, "GET /api/status": () => older });
  expect((await at.cli(["status"], { now })).stdout).not.toContain("Active Snoozes");
});

test("status tells why nothing happens: a pause, reviewers that rest, a daemon that is about to stop", async () => {
  const agent_cooldowns = [
    { agent: "codex", until: "2026-01-01T14:30:00.000Z", reason: "usage\nlimit\x1b[1m" },
  ];
  const still: DaemonStatus = { ...daemon, queue_paused: true, draining: true, agent_cooldowns };
  await using at = place({ ...routes, "GET /api/status": () => still });
  const { stdout } = await at.cli(["status"], { now, cwd: "/" });
  const [, workers, queue, resting] = stdout.split("\n");
  expect([workers, queue]).toEqual([
    "Workers  2 of 4 busy, the daemon stops when they are done",
    "Queue    paused. Go on with: roborev unpause",
  ]);
  expect(resting).toMatch(/^Resting {2}codex until Jan 01 \d\d:30 \S+: usage limit \[1m$/);
});

test("status of an older daemon, which knows nothing of that, says nothing of it", async () => {
  const { queue_paused: _, draining: __, agent_cooldowns: ___, ...older } = daemon;
  await using at = place({ ...routes, "GET /api/status": () => older });
  expect((await at.cli(["status"], { now, cwd: "/" })).stdout).not.toMatch(/Queue|Resting|stops/);
});

test("status --json carries the same facts; daemon status is the same command", async () => {
  await using at = place(routes);
  const one = await at.cli(["status", "--json"], { now });
  expect(one).toEqual(await at.cli(["daemon", "status", "--json"], { now }));
  const { healthy, components, recent_errors, version, uptime_seconds } = daemon;
  expect(JSON.parse(one.stdout)).toEqual({
    running: true,
    daemon,
    jobs: [testJob()],
    health: { healthy, components, recent_errors, version, uptime_seconds },
  });
});

test("status starts nothing: without a daemon it says how to start one, exit 0", async () => {
  using dir = tempDir();
  const env = { ROBOREV_DATA_DIR: dir.join("data") };
  const text = await runCli(["status"], { env, cwd: "/" });
  expect(text).toEqual({
    code: 0,
    stdout: "Daemon   not running. Start it with: roborev daemon start\n",
    stderr: "",
  });
  expect(JSON.parse((await runCli(["status", "--json"], { env, cwd: "/" })).stdout)).toEqual({
    running: false,
  });
  expect(existsSync(dir.join("data"))).toBe(false);
});

test("a daemon in trouble is running, with its error", async () => {
  await using at = place({
    "GET /api/status": () => reply(500, { error: "database is locked" }),
    "GET /api/jobs": routes["GET /api/jobs"],
  });
  expect(JSON.parse((await at.cli(["status", "--json"])).stdout)).toEqual({
    running: true,
    error: "database is locked",
  });
  expect((await at.cli(["status"])).stdout).toBe("Daemon   unavailable: database is locked\n");
});

test("status in a repository tells when its commits are not reviewed", async () => {
  await using at = place(routes);
  expect((await at.cli(["status"])).stderr).toBe(
    "Commits of this repository are not reviewed. Set it up with: roborev init\n",
  );
  expect(dataPaths(at.dataDir).dataDir).toBe(at.dataDir);
});

test("hooks that do not work are named, one line each", () => {
  const hook = (more: Partial<HookStatus>): HookStatus => ({
    hook: "post-commit",
    path: "/h",
    state: "current",
    executable: true,
    alone: true,
    ...more,
  });
  const fine = hook({ binary: { path: "/bin/roborev", executable: true } });
  expect(hookWarnings([fine, fine])).toEqual([]);
  expect(
    hookWarnings([
      fine,
      hook({ state: "outdated" }),
      hook({ state: "damaged" }),
      hook({ hook: "post-rewrite", state: "missing" }),
      hook({ executable: false }),
      hook({ binary: { path: "/old\x1b", executable: false } }),
    ]),
  ).toEqual([
    "Warning: the post-commit hook is of an older version. Mend it with: roborev init",
    "Warning: the post-commit hook was changed by hand. Mend it with: roborev init",
    "Warning: the post-rewrite hook is missing. Mend it with: roborev init",
    "Warning: the post-commit hook is not executable, so git ignores it. Mend it with: roborev init",
    "Warning: the post-commit hook runs /old, which is not there any more. Mend it with: roborev init",
  ]);
});
