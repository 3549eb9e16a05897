import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dataPaths } from "../../src/config/paths.ts";
import { apiVersion } from "../../src/lib/version.ts";
import { fakeDaemon } from "../client/fake-daemon.ts";
import { startHolder, testPaths } from "../client/holder.ts";
import { quiet } from "../hook/world.ts";
import { roborev } from "../support/binary.ts";
import { testRepo } from "../support/repo.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const dirs: TempDir[] = [];
afterEach(async () => {
  for (const dir of dirs.splice(0)) {
    await roborev(["daemon", "stop"], { env: { ROBOREV_DATA_DIR: dir.join("data") } });
    dir[Symbol.dispose]();
  }
});

/** A data directory whose daemon, should one have been started, is stopped at the end. */
function place() {
  const dir = tempDir();
  dirs.push(dir);
  return { ...testPaths(dir.path), env: { ROBOREV_DATA_DIR: dir.join("data") } };
}

const ping = (changed: object) => () => ({
  service: "roborev",
  version: "9.9.9",
  api_version: apiVersion,
  pid: process.pid,
  data_dir: "/",
  ...changed,
});
const noJobs = () => ({ jobs: [], has_more: false, stats: { done: 0, closed: 0, open: 0 } });
const stopPayload = (cwd: string) =>
  JSON.stringify({ session_id: "s", hook_event_name: "Stop", cwd, stop_hook_active: false });

test("D5 G13 a newer daemon of the same API level is used, with one notice", async () => {
  const { dataDir, env } = place();
  using repo = testRepo();
  await using daemon = fakeDaemon(dataDir, { "GET /api/ping": ping({}), "GET /api/jobs": noJobs });
  const run = await roborev(["list", "--json"], { cwd: repo.path, env });
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout)).toBeArray();
  expect(run.stderr).toMatch(
    /^The daemon is version 9\.9\.9, this program \S+\. Update it with: roborev daemon restart\n$/,
  );
  expect(daemon.of("POST /api/shutdown")).toEqual([]);
});

test.each([
  ["older", apiVersion - 1],
  ["newer", apiVersion + 1],
])("D04 G13 a daemon with an %s API level that will not go: one error with what to do", async (_, level) => {
  const { dataDir, env } = place();
  using repo = testRepo();
  await using daemon = fakeDaemon(dataDir, {
    "GET /api/ping": ping({ api_version: level }),
    "POST /api/shutdown": () => ({ stopping: true }),
  });
  const run = await roborev(["list"], { cwd: repo.path, env });
  expect([run.exitCode, run.stdout]).toEqual([1, ""]);
  expect(run.stderr.split("\n").at(-2)).toBe(
    `Error: the daemon speaks API level ${level} (version 9.9.9), this program level ${apiVersion}. Restart it with: roborev daemon restart`,
  );
  expect(daemon.of("GET /api/jobs")).toEqual([]);
  expect(daemon.of("POST /api/shutdown")[0]?.body).toEqual({ mode: "interrupt" });
});

test("D04 D5 a daemon of another API level is replaced by this program's own", async () => {
  const { env, ...paths } = place();
  using repo = testRepo();
  await using holder = await startHolder("old-level", paths);
  const run = await roborev(["list", "--json"], { cwd: repo.path, env });
  expect([run.exitCode, JSON.parse(run.stdout)]).toEqual([0, []]);
  expect(run.stderr).toMatch(/^Restarting the daemon: it is version 0\.0\.0, this program \S+\.\n$/);
  expect(await holder.exited).toBe(0);
  const status = await roborev(["daemon", "start", "--json"], { env });
  expect(JSON.parse(status.stdout)).toMatchObject({
    started: false,
    version: expect.not.stringMatching(/^0\.0\.0$/),
  });
});

test("D04 D5 a hook and a commit never replace a daemon: the hook asks it, the commit waits in a file", async () => {
  const { dataDir, env } = place();
  using repo = testRepo();
  const sha = repo.git("rev-parse", "HEAD");
  await using daemon = fakeDaemon(dataDir, {
    "GET /api/ping": ping({ api_version: apiVersion + 1 }),
    "POST /api/agent-hook/event": () => ({ ...quiet, triggered: true, reason: "fix it" }),
  });
  const hook = await roborev(["agent-hook", "run", "--agent", "claude"], {
    env,
    stdin: stopPayload(repo.path),
  });
  expect(hook).toEqual({ exitCode: 0, stdout: '{"decision":"block","reason":"fix it"}\n', stderr: "" });
  const commit = await roborev(["post-commit"], { cwd: repo.path, env });
  expect(commit).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(JSON.parse(readFileSync(dataPaths(dataDir).missedCommits, "utf8"))).toMatchObject({
    sha,
    repo: repo.path,
  });
  expect(daemon.of("POST /api/shutdown")).toEqual([]);
  expect(existsSync(dataPaths(dataDir).daemonLog)).toBe(false);
});

test("G13 a hook that a daemon does not understand is answered empty, with one line", async () => {
  const { dataDir, env } = place();
  using repo = testRepo();
  await using _daemon = fakeDaemon(dataDir, { "GET /api/ping": ping({ api_version: apiVersion + 1 }) });
  const hook = await roborev(["agent-hook", "run", "--agent", "codex"], {
    env,
    stdin: stopPayload(repo.path),
  });
  expect([hook.exitCode, hook.stdout]).toEqual([0, "{}\n"]);
  expect(hook.stderr).toMatch(/^roborev agent-hook: the daemon refused with status 404: [^\n]+\n$/);
});

test("what listens on the socket but is no roborev daemon is named as such, and left alone", async () => {
  const { dataDir, env } = place();
  using repo = testRepo();
  await using daemon = fakeDaemon(dataDir, { "GET /api/ping": () => ({ service: "other" }) });
  const run = await roborev(["list"], { cwd: repo.path, env });
  expect([run.exitCode, run.stderr]).toEqual([
    1,
    `Error: what listens on ${daemon.socket} is not a roborev daemon\n`,
  ]);
  expect(daemon.seen.map(({ route }) => route)).toEqual(["GET /api/ping"]);
});
