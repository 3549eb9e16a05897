import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { HookResponse } from "../../src/daemon/api/hook-event.ts";
import type { Job } from "../../src/store/schema.ts";
import { roborev } from "../support/binary.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { expectWithin } from "../support/limit.ts";
import { type TestRepo, testRepo } from "../support/repo.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const percentile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;

function report(goal: string, values: number[]): void {
  const [median, p99] = [percentile(values, 0.5), percentile(values, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`${goal}: median ${median} ms, p99 ${p99} ms, ${values.length} calls`);
}

interface Answer {
  turn: number;
  response: HookResponse;
  ms: number;
}

async function stop(daemon: DaemonProcess, cwd: string, session: string, turn: number): Promise<Answer> {
  const event = {
    session_id: session,
    hook_event_name: "Stop",
    channel: "block",
    ends_turn: true,
    cwd,
    turn_id: `t${turn}`,
  };
  const sinceMs = performance.now();
  const { status, body } = await daemon.send("POST", "/api/agent-hook/event", {
    agent: "claude",
    event,
    threshold: 5,
    failed_review_threshold: 0,
  });
  expect(status).toBe(200);
  return { turn, response: body as HookResponse, ms: performance.now() - sinceMs };
}

const sessions = 64;

/** A daemon, a repository with one failed review, and as many working trees at the reviewed commit. */
async function failedReview(dir: TempDir, repo: TestRepo, trees: number) {
  const daemon = await startDaemon(dir.path);
  const sha = repo.commit("broken", { "a.txt": "BUG: wrong\n" });
  const enqueue = { repo_path: repo.path, git_ref: sha, branch: "main" };
  const job = (await daemon.send("POST", "/api/enqueue", enqueue)).body as Job;
  const verdict = async () =>
    ((await daemon.send("GET", `/api/jobs?id=${job.id}`)).body as { jobs: Job[] }).jobs[0]?.verdict;
  await waitFor("the failed review", async () => (await verdict()) === "F");
  const paths = Array.from({ length: trees }, (_, n) => dir.join(`tree-${n}`));
  for (const path of paths) repo.git("worktree", "add", "-q", "--detach", path);
  return { daemon, paths };
}

test("G9 64 sessions with 50 turns each at the same time: every turn counted once and in order, no reminder twice", async () => {
  const [turns, threshold] = [50, 5];
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  // Sessions in one working tree would wait for each other's fix session.
  const { daemon, paths } = await failedReview(dir, repo, sessions);
  await using _ = daemon;

  const answers = await Promise.all(
    paths.map(async (path, n) => {
      const own: Answer[] = [];
      for (let turn = 1; turn <= turns; turn++) own.push(await stop(daemon, path, `s${n}`, turn));
      return own;
    }),
  );
  report(
    "goal G9",
    answers.flat().map(({ ms }) => ms),
  );

  for (const own of answers) {
    // The one open review is named once, and asked for a few times at the ends of the turns behind that.
    const triggers = own.map(({ response }) => response.triggered_by ?? "");
    expect(triggers.filter((by) => by !== "" && by !== "fix_session")).toEqual(["stop"]);
    expect(triggers[threshold - 1]).toBe("stop");
    const asked = triggers.flatMap((by, at) => (by === "fix_session" ? [at + 1] : []));
    expect(asked).toEqual([threshold + 1, threshold + 2, threshold + 3]);
    // A turn that ends in being asked to finish is the same turn, going on.
    const counted = own.filter(({ turn }) => !asked.includes(turn));
    expect(counted.map(({ response }) => response.count)).toEqual(counted.map((_, at) => at + 1));
  }
  const state = (await daemon.send("GET", "/api/agent-hook/sessions")).body as {
    sessions: Record<string, { count: number }>;
  };
  expect(Object.keys(state.sessions)).toHaveLength(sessions);
  expect(Object.values(state.sessions).every(({ count }) => count === turns - 3)).toBe(true);

  // On disk as well: what a daemon that is killed now leaves to the next.
  await daemon.kill();
  await using next = await startDaemon(dir.path);
  expect((await next.send("GET", "/api/agent-hook/sessions")).body).toEqual(state as never);
}, 120_000);

test("G9 64 sessions in one working tree at the same time: one fix session after the other, nobody is told twice or never", async () => {
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  const { daemon } = await failedReview(dir, repo, 0);
  await using _ = daemon;
  let owner: string | undefined;
  const overlaps: string[] = [];

  const untilTold = async (name: string): Promise<string[]> => {
    const told: string[] = [];
    for (let turn = 1, left = 3; left > 0; turn++) {
      const { response } = await stop(daemon, repo.path, name, turn);
      if (told.length > 0) left--;
      if (!response.triggered) continue;
      if (owner !== undefined) overlaps.push(`${name} while ${owner} is busy`);
      told.push(response.triggered_by ?? "");
      owner = name;
      await stop(daemon, repo.path, "onlooker", turn);
      owner = undefined;
      await daemon.send("POST", "/api/agent-hook/fix-done", { fix_session_id: response.fix_session_id });
    }
    return told;
  };
  const told = await Promise.all(Array.from({ length: sessions }, (_, n) => untilTold(`s${n}`)));
  expect(told).toEqual(Array.from({ length: sessions }, () => ["stop"]));
  expect(overlaps).toEqual([]);
  const { body } = await daemon.send("GET", "/api/agent-hook/sessions");
  expect((body as { fix_sessions?: object }).fix_sessions).toBeUndefined();
}, 120_000);

test("G22 a hook is answered within 100 ms (median) while four reviews run and more wait", async () => {
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  await using daemon = await startDaemon(dir.path);
  for (let n = 0; n < 8; n++) {
    const sha = repo.commit(`c${n}`, { [`f${n}.txt`]: "TEST-REVIEWER-SLEEP: 60000\n" });
    await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha });
  }
  const running = async () =>
    ((await daemon.send("GET", "/api/status")).body as { running_jobs: number }).running_jobs;
  await waitFor("four running reviews", async () => (await running()) === 4);
  const times: number[] = [];
  for (let turn = 0; turn < 50; turn++) times.push((await stop(daemon, repo.path, "s", turn)).ms);
  report("goal G22", times);
  expectWithin(percentile(times, 0.5), 100);
  await daemon.send("POST", "/api/shutdown", {});
  await daemon.exited;
}, 120_000);

test("G10 100 hooks while no daemon runs: each answers {} at once with one line, and starts nothing", async () => {
  using dir = tempDir();
  using repo = testRepo();
  const stdin = JSON.stringify({
    session_id: "s",
    hook_event_name: "Stop",
    cwd: repo.path,
    stop_hook_active: false,
  });
  const env = { ROBOREV_DATA_DIR: dir.path };
  const times: number[] = [];
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const sinceMs = performance.now();
        const run = await roborev(["agent-hook", "run", "--agent", "claude"], { env, stdin });
        times.push(performance.now() - sinceMs);
        expect([run.exitCode, run.stdout]).toEqual([0, "{}\n"]);
        expect(run.stderr).toBe(`roborev agent-hook: no daemon is listening on ${dir.join("daemon.sock")}\n`);
      }),
    );
  }
  report("goal G10", times);
  expectWithin(percentile(times, 0.99), 2_000);
  expect(existsSync(dir.join("daemon.log"))).toBe(false);
}, 120_000);
