import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { Job } from "../../src/store/schema.ts";
import { connectTo } from "../support/connection.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { type TestRepo, testRepo } from "../support/repo.ts";
import { addReviewedWorktree } from "../support/reviewed-worktree.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";
import { Actor, shownState } from "./killed/actor.ts";
import { committer, queueUp, snoozer, takeTurns } from "./killed/scripts.ts";

/** All of them take a while: `KILLS=200 bun test test/faults/daemon-kill.test.ts`. */
const kills = Number(process.env.KILLS ?? 12);

/** Answers to hook events in the life of one daemon, at most. */
const answersEach = 80;

/** What the daemon acknowledged of its jobs, to be found again after every crash. */
interface Acknowledged {
  jobs: Set<number>;
  verdicts: Map<number, string>;
}

/** Sends until the daemon dies; only what was answered is recorded. */
async function keepCommitting(
  daemon: DaemonProcess,
  repoPath: string,
  commits: string[],
  seen: Acknowledged,
): Promise<never> {
  for (;;) {
    const sha = commits[Math.floor(Math.random() * commits.length)] as string;
    const answer = await daemon.send("POST", "/api/enqueue", {
      repo_path: repoPath,
      git_ref: sha,
      branch: "main",
    });
    if (answer.status === 201) seen.jobs.add((answer.body as Job).id);
    const done = await daemon.send("GET", "/api/jobs?status=done&branch=main&limit=0");
    for (const job of (done.body as { jobs: Job[] }).jobs) {
      if (job.verdict) seen.verdicts.set(job.id, job.verdict);
    }
  }
}

/** Two sessions share a working tree, the others have each their own. */
async function setScene(dataDir: string, repo: TestRepo) {
  // More reviews than one reminder names: a session is told many times before it knows all of them.
  const place = (name: string) => addReviewedWorktree(dataDir, repo, { name, openReviews: 400 });
  const shared = await place("shared");
  const turns = [new Actor("claude", "first", shared), new Actor("claude", "second", shared)] as const;
  const commits = committer(new Actor("claude", "commits", await place("commits")));
  const queue = new Actor("hermes", "queue", await place("queue"));
  const snoozes = snoozer(new Actor("claude", "snoozes", await place("snoozes")), {
    repo_path: repo.path,
    branch: "snoozes",
  });
  return { turns, commits, queue, snoozes };
}

async function isSnoozed(daemon: DaemonProcess): Promise<boolean> {
  const { body } = await daemon.send("GET", "/api/status");
  return (body as { active_snoozes: unknown[] }).active_snoozes.length > 0;
}

/** Everything else that a flow ends with is a broken promise of the daemon. */
const isItsEnd = (error: unknown): boolean =>
  error instanceof Error &&
  /closed the connection|no daemon is listening|not answer properly/.test(error.message);

test(`G1 G11 ${kills} times kill -9 while jobs and hook events flow: nothing acknowledged is lost, no reminder comes twice`, async () => {
  using dir = tempDir({ "data/config.toml": 'default_agent = "test"\n' });
  const dataDir = dir.join("data");
  using repo = testRepo({ subdirectory: "repo" });
  const commits = [0, 1, 2, 3].map((n) =>
    repo.commit(`c${n}`, { [`f${n}.txt`]: n % 2 === 0 ? "BUG: wrong\n" : "fine\n" }),
  );
  const seen: Acknowledged = { jobs: new Set(), verdicts: new Map() };
  const scene = await setScene(dataDir, repo);
  const { turns, queue, snoozes } = scene;
  const actors = [...turns, queue, scene.commits.actor, snoozes.actor];
  /** Everything that was acknowledged before must be there. */
  const meet = async (daemon: DaemonProcess) => {
    const state = await shownState(daemon);
    for (const actor of actors) actor.meet(await connectTo(daemon.socket), state);
    const snoozed = await isSnoozed(daemon);
    expect(snoozed).toBe(snoozes.tally.isSnoozed ?? snoozed);
  };

  const answered = () => actors.reduce((sum, { done }) => sum + done.answered, 0);
  for (let round = 0; round < kills; round++) {
    const daemon = await startDaemon(dataDir);
    await meet(daemon);
    const flows = [
      keepCommitting(daemon, repo.path, commits, seen),
      ...turns.map((actor) => takeTurns(actor)),
      queueUp(queue),
      scene.commits.run(),
      snoozes.run(daemon),
    ];
    // By what was answered, not by the clock: a slow machine is to be killed amid as much as a fast one.
    const until = answered() + Math.random() * answersEach;
    await Promise.race([waitFor("answers", () => answered() >= until, 30_000), ...flows]);
    await daemon.kill();
    for (const outcome of await Promise.allSettled(flows)) {
      if (outcome.status === "rejected" && !isItsEnd(outcome.reason)) throw outcome.reason;
    }
  }

  await using daemon = await startDaemon(dataDir);
  await meet(daemon);
  const list = async () =>
    ((await daemon.send("GET", "/api/jobs?branch=main&limit=0")).body as { jobs: Job[] }).jobs;
  await waitFor(
    "the queue to drain",
    async () => (await list()).every((job) => job.status === "done"),
    120_000,
  );
  const jobs = new Map((await list()).map((job) => [job.id, job]));
  expect([...seen.jobs].filter((id) => !jobs.has(id))).toEqual([]);
  for (const [id, verdict] of seen.verdicts) expect(jobs.get(id)?.verdict).toBe(verdict as "P" | "F");
  expect(seen.jobs.size).toBeGreaterThan(kills / 4);

  // Everything was under way, and often.
  for (const actor of actors) expect(actor.done.interrupted).toBeGreaterThan(0);
  for (const { done } of [...turns, queue, snoozes.actor]) expect(done.named).toBeGreaterThan(100);
  for (const { done } of [turns[0], queue]) expect(done.givenBack).toBeGreaterThan(0);
  expect(scene.commits.tally.made).toBeGreaterThan(5);
  expect(snoozes.tally.switches).toBeGreaterThan(5);
  const sum = (name: keyof Actor["done"]) => actors.reduce((total, { done }) => total + done[name], 0);
  console.log(
    `goal G1: ${kills} kills amid ${sum("interrupted")} actions, ${seen.jobs.size} jobs, ` +
      `${scene.commits.tally.made} commits, ${sum("told")} reminders, ${sum("givenBack")} fix-done, ` +
      `${snoozes.tally.switches} snoozes, ${sum("resets")} resets`,
  );

  await daemon.send("POST", "/api/shutdown", {});
  expect(await daemon.exited).toBe(0);
  const database = new Database(dir.join("data/reviews.db"), { readonly: true });
  expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
  expect(readdirSync(dir.join("data/worktrees"))).toEqual([]);
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(5);
}, 600_000);
