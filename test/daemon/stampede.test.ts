import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { requestDaemon } from "../../src/client/transport.ts";
import type { Job } from "../../src/store/schema.ts";
import { binary, roborev } from "../support/binary.ts";
import { testRepo } from "../support/repo.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const crowd = 20;
const everybody = Array.from({ length: crowd }, (_, n) => n);

const dirs: TempDir[] = [];
function dataDir(): TempDir {
  const dir = tempDir({ "config.toml": 'default_agent = "test"\n' });
  dirs.push(dir);
  return dir;
}

afterEach(async () => {
  for (const dir of dirs.splice(0)) {
    await roborev(["daemon", "stop"], { env: { ROBOREV_DATA_DIR: dir.path } });
    dir[Symbol.dispose]();
  }
});

const get = async (dir: TempDir, path: string) =>
  (await requestDaemon(dir.join("daemon.sock"), "GET", path, undefined, { timeoutMs: 5_000 })).body;

/** How often a daemon of this data directory got as far as serving. */
const starts = (dir: TempDir) =>
  readFileSync(dir.join("daemon.log"), "utf8").split('"message":"daemon started"').length - 1;

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Linux: the daemons that have this data directory's lock open. */
async function daemonsOf(dir: TempDir): Promise<number> {
  if (process.platform !== "linux") return 1;
  const holds = (pid: string) => {
    try {
      const files = readdirSync(`/proc/${pid}/fd`);
      return files.some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === dir.join("daemon.lock.db"));
    } catch {
      return false; // gone, or a descriptor that was closed meanwhile
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && holds(name)).length;
}

test(`G10 ${crowd} simultaneous \`daemon start\` from cold end with one daemon, and all succeed`, async () => {
  const dir = dataDir();
  const env = { ROBOREV_DATA_DIR: dir.path };
  const runs = await Promise.all(everybody.map(() => roborev(["daemon", "start", "--json"], { env })));
  expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    everybody.map(() => ({ exitCode: 0, stderr: "" })),
  );
  const answers = runs.map(({ stdout }) => JSON.parse(stdout) as { pid: number });
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  await waitFor("the losers' end", async () => (await daemonsOf(dir)) === 1);
  expect(starts(dir)).toBe(1);
}, 120_000);

test(`D6 ${crowd} simultaneous commits from cold: one daemon, every commit queued, silence, exit 0`, async () => {
  const dir = dataDir();
  using repo = testRepo();
  using trees = tempDir();
  const shas = everybody.map((n) => {
    repo.git("worktree", "add", "-q", "--detach", trees.join(`w${n}`));
    return Bun.spawnSync(
      ["/bin/sh", "-c", `echo ${n} > f${n}; git add -A; git commit -q -m c${n}; git rev-parse HEAD`],
      { cwd: trees.join(`w${n}`) },
    )
      .stdout.toString()
      .trim();
  });
  const env = { ROBOREV_DATA_DIR: dir.path };
  const runs = await Promise.all(
    everybody.map((n) => roborev(["post-commit"], { cwd: trees.join(`w${n}`), env })),
  );
  expect(runs).toEqual(everybody.map(() => ({ exitCode: 0, stdout: "", stderr: "" })));
  const listed = async () => ((await get(dir, "/api/jobs?limit=0")) as { jobs: Job[] }).jobs;
  const queued = async () => (await listed()).map((job) => job.git_ref).sort();
  // Those that the 2.5 s did not reach wait in a file for the daemon's next look, or are being read by it.
  const left = () =>
    ["missed-commits.jsonl", "missed-commits.jsonl.reading"]
      .flatMap((name) => readIfThere(dir.join(name)).split("\n").slice(0, -1))
      .map((line) => (JSON.parse(line) as { sha: string }).sha);
  const all = [...shas].sort().join();
  const known = async () => [...new Set([...left(), ...(await queued())])].sort().join();
  await waitFor("every commit in the queue or left for it", async () => (await known()) === all, 60_000);
  if (left().length > 0) {
    await roborev(["daemon", "restart"], { env });
    await waitFor("the missed commits", async () => (await queued()).length === crowd, 60_000);
  }
  expect(await queued()).toEqual([...shas].sort());
  await waitFor("one daemon", async () => (await daemonsOf(dir)) === 1, 60_000); // a child that has not become git yet counts as well
}, 180_000);

test("an autostarted daemon holds none of its caller's streams: a pipe closes when the command ends", async () => {
  const dir = dataDir();
  using repo = testRepo();
  const child = Bun.spawn([binary, "review"], {
    cwd: repo.path,
    env: { ...process.env, ROBOREV_DATA_DIR: dir.path },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  // Both resolve at end of file, which a daemon with the write end open would put off for ever.
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ stdout, stderr }).toEqual({
    stdout: expect.stringMatching(/^Enqueued job 1 for [0-9a-f]+ \(agent: test\)\n$/),
    stderr: "",
  });
  expect(((await get(dir, "/api/ping")) as { service: string }).service).toBe("roborev");
  if (process.platform !== "linux") return;
  const { pid } = (await get(dir, "/api/ping")) as { pid: number };
  const streams = [0, 1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  expect(streams).toEqual(["/dev/null", dir.join("daemon.log"), dir.join("daemon.log")]);
});
