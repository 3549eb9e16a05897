import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { runMarkName } from "../../src/lib/run-mark.ts";
import type { Job } from "../../src/store/schema.ts";
import { binary } from "../support/binary.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { type TestRepo, testRepo } from "../support/repo.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** All of them take some minutes: `KILLS=50 bun test test/faults/queue-kill.test.ts`. */
const kills = Number(process.env.KILLS ?? 5);
/** As many commits as kills, and a repository for each five of them. */
const repoCount = Math.max(2, Math.round(kills / 5));

/**
 * A reviewer that takes its time, with a child in its group and another that left both it and its parent, writes down in which life of the
 * daemon it worked on what, and ends its helpers when it ends by itself.
 */
function slowReviewer(dir: TempDir): string {
  return stubReviewer(
    dir.join("claude"),
    `cat >/dev/null
echo "$LIFE $ROBOREV_REVIEW_JOB" >> "${dir.join("runs")}"
sleep 300 & inner=$!
outer=$(setsid sleep 300 >/dev/null 2>&1 & echo $!)
sleep 0.$(( $$ % 5 ))
kill $inner $outer
say 'No issues found.'`,
  );
}

/** What the reviewers wrote down: which life of the daemon, which job. */
const runs = (dir: TempDir): [life: number, job: number][] =>
  readFileSync(dir.join("runs"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" ").map(Number) as [number, number]);

/** Reviewers' processes by the life of the daemon that started them, or one before it. */
function leftBehind(dataDir: string): { life: number; pid: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const variables = environment(name);
      const isOurs =
        variables.some((each) => each.startsWith(`${runMarkName}=`)) &&
        variables.includes(`QUEUE_TEST=${dataDir}`);
      const life = variables.find((each) => each.startsWith("LIFE="))?.slice("LIFE=".length);
      return isOurs ? [{ life: Number(life), pid: Number(name) }] : [];
    });
}

function environment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return []; // gone
  }
}

/** Sends what is not acknowledged yet, as the hook and the file of missed commits do. */
async function sendAll(
  daemon: DaemonProcess,
  commits: { repo: string; sha: string }[],
  upTo: number,
  sent: Set<string>,
) {
  for (const { repo, sha } of commits.slice(0, upTo)) {
    if (sent.has(sha)) continue;
    const { status } = await daemon.send("POST", "/api/enqueue", {
      repo_path: repo,
      git_ref: sha,
      branch: "main",
      source: "post_commit",
    });
    expect(status).toBeOneOf([200, 201]);
    sent.add(sha);
  }
}

/** A daemon that dies at a random point, its start included. */
async function killedInStart(dataDir: string, env: Record<string, string>): Promise<number> {
  const child = Bun.spawn([binary, "daemon", "run"], {
    env: { ...process.env, ROBOREV_DATA_DIR: dataDir, ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(Math.random() * 400);
  child.kill("SIGKILL");
  await child.exited;
  return child.pid;
}

const onLinux = test.skipIf(process.platform !== "linux");

onLinux(
  `G1 G11 S06 ${kills} times kill -9 under a working queue: no job is lost or reviewed twice, nothing is left behind`,
  async () => {
    using dir = tempDir({ runs: "" });
    const dataDir = dir.join("data");
    Bun.spawnSync(["mkdir", "-m", "700", dataDir]);
    const config = `default_agent = "claude-code"\nclaude_code_cmd = "${slowReviewer(dir)}"\nmax_workers = 4\n`;
    await Bun.write(dir.join("data/config.toml"), config);
    const repos: TestRepo[] = Array.from({ length: repoCount }, () => testRepo());
    const commits = Array.from({ length: kills }, (_, n) => {
      const repo = repos[n % repoCount] as TestRepo;
      return { repo: repo.path, sha: repo.commit(`c${n}`, { [`f${n}.txt`]: `${n}\n` }) };
    });
    const sent = new Set<string>();
    const lifeOf = new Map<number, number>();
    let amid = 0;

    for (let life = 0; life < kills; life++) {
      const env = { LIFE: String(life), QUEUE_TEST: dataDir };
      if (life % 4 === 3) {
        lifeOf.set(await killedInStart(dataDir, env), life);
        continue;
      }
      const daemon = await startDaemon(dataDir, env);
      lifeOf.set(daemon.pid, life);
      expect(leftBehind(dataDir).filter((each) => each.life < life)).toEqual([]);
      const sending = sendAll(daemon, commits, life + 1, sent).catch((error) => {
        if (!/no daemon|not answer properly/.test(error.message)) throw error;
      });
      // Some at any point, some when a reviewer has just begun.
      if (life % 2 === 0) await waitFor("a run", () => runs(dir).some(([each]) => each === life));
      await Bun.sleep(Math.random() * (life % 2 === 0 ? 400 : 900));
      await daemon.kill();
      await sending;
      if (leftBehind(dataDir).length > 0) amid++;
    }

    const daemon = await startDaemon(dataDir, { LIFE: String(kills), QUEUE_TEST: dataDir });
    lifeOf.set(daemon.pid, kills);
    await sendAll(daemon, commits, kills, sent);
    const list = async () => ((await daemon.send("GET", "/api/jobs?limit=0")).body as { jobs: Job[] }).jobs;
    await waitFor(
      "the queue to drain",
      async () => (await list()).every((job) => job.status === "done"),
      120_000,
    );
    const jobs = await list();
    await daemon.send("POST", "/api/shutdown", {});
    expect(await daemon.exited).toBe(0);

    // One job for each commit, with one review, made in one go by the last worker that had it.
    expect(jobs.map((job) => job.git_ref).toSorted()).toEqual(commits.map(({ sha }) => sha).toSorted());
    const all = runs(dir);
    for (const job of jobs) {
      expect(job).toMatchObject({ verdict: "P", retry_count: 0 });
      const done = lifeOf.get(Number(job.worker_id?.split("-")[0])) as number;
      const lives = all.filter(([, id]) => id === job.id).map(([life]) => life);
      expect(lives.filter((life) => life >= done)).toEqual([done]);
    }
    using database = new Database(dir.join("data/reviews.db"), { readonly: true });
    const count = (table: string) =>
      database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    expect([count("reviews"), count("review_attempts")]).toEqual([jobs.length, 0]);
    expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);

    // Nothing runs, no working tree and no record of one is left.
    expect(leftBehind(dataDir)).toEqual([]);
    expect(readdirSync(dir.join("data/worktrees"))).toEqual([]);
    for (const repo of repos) {
      expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
      expect(repo.git("status", "--porcelain")).toBe("");
      repo[Symbol.dispose]();
    }
    expect(amid).toBeGreaterThan(Math.floor(kills / 10));
    console.log(
      `queue: ${kills} kills, ${amid} of them amid reviews, ${all.length} runs for ${jobs.length} jobs in ${repoCount} repositories`,
    );
  },
  900_000,
);
