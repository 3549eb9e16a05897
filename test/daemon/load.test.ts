import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { HookResponse } from "../../src/daemon/api/hook-event.ts";
import type { Job } from "../../src/store/schema.ts";
import { roborev } from "../support/binary.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
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

test("G9 64 sessions with 50 turns each at the same time: every turn counted once and in order, no reminder twice", async () => {
  const [sessions, turns, threshold] = [64, 50, 5];
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  await using daemon = await startDaemon(dir.path);
  const sha = repo.commit("broken", { "a.txt": "BUG: wrong\n" });
  const job = (
    await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha, branch: "main" })
  ).body as Job;
  const verdict = async () =>
    ((await daemon.send("GET", `/api/jobs?id=${job.id}`)).body as { jobs: Job[] }).jobs[0]?.verdict;
  await waitFor("the failed review", async () => (await verdict()) === "F");

  const names = Array.from({ length: sessions }, (_, n) => `s${n}`);
  const answers = await Promise.all(
    names.map(async (name) => {
      const own: Answer[] = [];
      for (let turn = 1; turn <= turns; turn++) own.push(await stop(daemon, repo.path, name, turn));
      return own;
    }),
  );
  report(
    "goal G9",
    answers.flat().map(({ ms }) => ms),
  );

  for (const own of answers) {
    expect(own.map(({ response }) => response.count)).toEqual(own.map(({ turn }) => turn));
    // The one open review is named once; no later threshold names it again.
    const reminded = own.filter(({ response }) => response.triggered);
    expect(reminded.map(({ turn }) => turn)).toEqual([threshold]);
  }
  const state = (await daemon.send("GET", "/api/agent-hook/sessions")).body as {
    sessions: Record<string, { count: number }>;
  };
  expect(Object.keys(state.sessions)).toHaveLength(sessions);
  expect(Object.values(state.sessions).every(({ count }) => count === turns)).toBe(true);

  // On disk as well: what a daemon that is killed now leaves to the next.
  await daemon.kill();
  await using next = await startDaemon(dir.path);
  expect((await next.send("GET", "/api/agent-hook/sessions")).body).toEqual(state as never);
}, 30_000);

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
  expect(percentile(times, 0.5)).toBeLessThanOrEqual(100);
  await daemon.send("POST", "/api/shutdown", {});
  await daemon.exited;
}, 30_000);

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
  expect(percentile(times, 0.99)).toBeLessThan(2_000);
  expect(existsSync(dir.join("daemon.log"))).toBe(false);
}, 30_000);
