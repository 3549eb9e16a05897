import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { HookResponse } from "../../src/daemon/api/hook-event.ts";
import type { Job } from "../../src/store/schema.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const kills = 50;

/** What the daemon acknowledged, to be found again after every crash. */
interface Acknowledged {
  jobs: Set<number>;
  verdicts: Map<number, string>;
  turns: Map<string, number>;
  sent: Map<string, number>;
  /** Ids named to each session. */
  named: Map<string, number[]>;
}

/** Sends until the daemon dies; only what was answered is recorded. */
async function keepCommitting(
  daemon: DaemonProcess,
  repoPath: string,
  commits: string[],
  seen: Acknowledged,
) {
  for (;;) {
    const sha = commits[Math.floor(Math.random() * commits.length)] as string;
    const answer = await daemon.send("POST", "/api/enqueue", {
      repo_path: repoPath,
      git_ref: sha,
      branch: "main",
    });
    if (answer.status === 201) seen.jobs.add((answer.body as Job).id);
    const done = await daemon.send("GET", "/api/jobs?status=done&limit=0");
    for (const job of (done.body as { jobs: Job[] }).jobs) {
      if (job.verdict) seen.verdicts.set(job.id, job.verdict);
    }
  }
}

async function keepTurning(daemon: DaemonProcess, repoPath: string, session: string, seen: Acknowledged) {
  for (;;) {
    const turn = (seen.sent.get(session) ?? 0) + 1;
    seen.sent.set(session, turn);
    const event = {
      session_id: session,
      hook_event_name: "Stop",
      channel: "block",
      ends_turn: true,
      cwd: repoPath,
      turn_id: `t${turn}`,
    };
    const answer = await daemon.send("POST", "/api/agent-hook/event", {
      agent: "claude",
      event,
      threshold: 3,
      failed_review_threshold: 2,
    });
    if (answer.status !== 200) continue;
    const response = answer.body as HookResponse;
    if (response.skipped) continue;
    seen.turns.set(session, (seen.turns.get(session) ?? 0) + 1);
    const ids = /Review job ids?: ([0-9, ]+)/.exec(response.reason ?? "")?.[1] ?? "";
    const named = ids
      .split(",")
      .map((id) => Number(id.trim()))
      .filter((id) => id > 0);
    seen.named.set(session, [...(seen.named.get(session) ?? []), ...named]);
  }
}

test(`G1 G11 ${kills} times kill -9 while jobs and hook events flow: nothing acknowledged is lost, no reminder comes twice`, async () => {
  using dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  const commits = [0, 1, 2, 3].map((n) =>
    repo.commit(`c${n}`, { [`f${n}.txt`]: n % 2 === 0 ? "BUG: wrong\n" : "fine\n" }),
  );
  const seen: Acknowledged = {
    jobs: new Set(),
    verdicts: new Map(),
    turns: new Map(),
    sent: new Map(),
    named: new Map(),
  };

  // Something to remind of from the first round on: on a busy machine no review may end between two kills.
  const first = await startDaemon(dir.path);
  for (const sha of [commits[0], commits[2]])
    await first.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: sha, branch: "main" });
  await waitFor(
    "two failed reviews",
    async () => {
      const { jobs } = (await first.send("GET", "/api/jobs?status=done&limit=0")).body as { jobs: Job[] };
      return jobs.length === 2;
    },
    30_000,
  );
  await first.kill();

  for (let round = 0; round < kills; round++) {
    const daemon = await startDaemon(dir.path);
    const flow = [
      keepCommitting(daemon, repo.path, commits, seen),
      ...["s1", "s2", "s3"].map((session) => keepTurning(daemon, repo.path, session, seen)),
    ].map((sender) => sender.catch(() => undefined));
    await Bun.sleep(Math.random() * 500);
    await daemon.kill();
    await Promise.all(flow);
  }

  await using daemon = await startDaemon(dir.path);
  const list = async () => ((await daemon.send("GET", "/api/jobs?limit=0")).body as { jobs: Job[] }).jobs;
  await waitFor(
    "the queue to drain",
    async () => (await list()).every((job) => job.status === "done"),
    60_000,
  );
  const jobs = new Map((await list()).map((job) => [job.id, job]));
  expect([...seen.jobs].filter((id) => !jobs.has(id))).toEqual([]);
  for (const [id, verdict] of seen.verdicts) expect(jobs.get(id)?.verdict).toBe(verdict as "P" | "F");
  expect(seen.jobs.size).toBeGreaterThan(10);

  const { sessions } = (await daemon.send("GET", "/api/agent-hook/sessions")).body as {
    sessions: Record<string, { count: number }>;
  };
  for (const [session, turns] of seen.turns) {
    expect(sessions[`claude:${session}`]?.count).toBeGreaterThanOrEqual(turns);
    expect(sessions[`claude:${session}`]?.count).toBeLessThanOrEqual(seen.sent.get(session) as number);
  }
  for (const [session, named] of seen.named) {
    expect({ session, twice: named.filter((id, at) => named.indexOf(id) !== at) }).toEqual({
      session,
      twice: [],
    });
  }
  expect([...seen.named.values()].flat().length).toBeGreaterThan(0);

  await daemon.send("POST", "/api/shutdown", {});
  expect(await daemon.exited).toBe(0);
  const database = new Database(dir.join("reviews.db"), { readonly: true });
  expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
  expect(readdirSync(dir.join("worktrees"))).toEqual([]);
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
}, 180_000);
