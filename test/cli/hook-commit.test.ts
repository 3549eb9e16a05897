import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { enqueueNewestCommit } from "../../src/cli/hook-commit.ts";
import { launchDaemon } from "../../src/client/start.ts";
import { type DataPaths, dataPaths } from "../../src/config/paths.ts";
import { reply } from "../client/fake-daemon.ts";
import { holderArgv } from "../client/holder.ts";
import { expectWithin } from "../support/limit.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { testJob } from "./fixtures.ts";
import { place } from "./place.ts";

const silent = { code: 0, stdout: "", stderr: "" };
const queueing = { "POST /api/enqueue": () => reply(201, testJob()) };
const jsonLines = (path: string) =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
const logOf = (dataDir: string) => jsonLines(dataPaths(dataDir).postCommitLog);
const missedOf = (dataDir: string) => jsonLines(dataPaths(dataDir).missedCommits);

test("post-commit sends the full SHA, its branch and its source, prints nothing, and logs the job", async () => {
  await using at = place(queueing);
  const head = at.repo.git("rev-parse", "HEAD");
  expect(await at.cli(["post-commit", "-q"])).toEqual(silent);
  expect(await at.cli(["enqueue", "--quiet"])).toEqual(silent);
  expect(at.daemon.of("POST /api/enqueue").map((call) => call.body)).toEqual(
    Array(2).fill({ repo_path: at.repo.path, git_ref: head, branch: "main", source: "post_commit" }),
  );
  expect(logOf(at.dataDir)[0]).toEqual({
    ts: expect.any(String),
    repo: at.repo.path,
    outcome: "ok",
    message: "job 7",
  });
  expect(statSync(dataPaths(at.dataDir).postCommitLog).mode & 0o777).toBe(0o600);
  expect(missedOf(at.dataDir)).toEqual([]);
});

test("H11 post-commit in a linked worktree names the worktree", async () => {
  await using at = place(queueing);
  using other = tempDir();
  at.repo.git("worktree", "add", "-q", "--detach", other.join("tree"));
  await at.cli(["post-commit"], { cwd: other.join("tree") });
  expect(at.daemon.of("POST /api/enqueue")[0]?.body).toEqual({
    repo_path: other.join("tree"),
    git_ref: at.repo.git("rev-parse", "HEAD"),
    source: "post_commit",
  });
});

test("post-commit skips outside a repository, in a rebase, inside a reviewer, and without a commit", async () => {
  await using at = place(queueing);
  using outside = tempDir();
  using empty = testRepo({ empty: true });
  await at.cli(["post-commit"], { cwd: outside.path });
  await at.cli(["post-commit"], { cwd: empty.path });
  await at.cli(["post-commit"], { env: { ROBOREV_REVIEW_JOB: "3" } });
  mkdirSync(`${at.repo.path}/.git/rebase-apply`);
  await at.cli(["post-commit"]);
  expect(logOf(at.dataDir).map(({ outcome, message }) => [outcome, message])).toEqual([
    ["skip", "not a git repository"],
    ["skip", "no commit yet"],
    ["skip", "inside a reviewer"],
    ["skip", "rebase in progress"],
  ]);
  expect(at.daemon.of("POST /api/enqueue")).toEqual([]);
});

test("P05 branch mode sends the branch up to the commit, and the commit alone where there is no telling", async () => {
  await using at = place(queueing);
  const base = at.repo.git("rev-parse", "HEAD");
  const main = at.repo.commit("config", { ".roborev.toml": 'post_commit_review = "branch"\n' });
  await at.cli(["post-commit"]);
  at.repo.git("checkout", "-q", "-b", "feature");
  const one = at.repo.commit("one", { a: "1" });
  await at.cli(["post-commit"]);
  await at.cli(["post-commit", "--base", base]);
  at.repo.git("checkout", "-q", "--detach");
  await at.cli(["post-commit"]);
  at.repo.git("checkout", "-q", "feature");
  at.repo.write(".roborev.toml", "broken = [\n");
  await at.cli(["post-commit"]);
  expect(at.daemon.of("POST /api/enqueue").map((call) => (call.body as { git_ref: string }).git_ref)).toEqual(
    [main, `${main}..${one}`, `${base}..${one}`, one, one],
  );
});

test.each(["E_CONFIG", "E_AGENT_UNKNOWN", "E_AGENT_COMMAND"])(
  "a commit that a broken configuration kept from review (%s) is left for later",
  async (code) => {
    await using at = place({
      "POST /api/enqueue": () => reply(400, { error: "config.toml:1:1: wrong", code }),
    });
    expect(await at.cli(["post-commit"])).toEqual(silent);
    expect(missedOf(at.dataDir)).toMatchObject([{ sha: at.repo.git("rev-parse", "HEAD") }]);
  },
);

test("P12 a refusal is logged and final; a failing daemon leaves the commit for later", async () => {
  await using refused = place({
    "POST /api/enqueue": () => reply(400, { error: `bad\n${"x".repeat(500)}` }),
  });
  expect(await refused.cli(["post-commit"])).toEqual(silent);
  expect(logOf(refused.dataDir)[0]).toMatchObject({ outcome: "fail" });
  expect(logOf(refused.dataDir)[0].message.length).toBeLessThanOrEqual(200);
  expect(missedOf(refused.dataDir)).toEqual([]);
  await using failing = place({ "POST /api/enqueue": () => reply(503, { error: "busy" }) });
  await failing.cli(["post-commit"]);
  expect(missedOf(failing.dataDir)).toEqual([
    {
      ts: expect.any(String),
      repo: failing.repo.path,
      sha: failing.repo.git("rev-parse", "HEAD"),
      branch: "main",
    },
  ]);
  expect(statSync(dataPaths(failing.dataDir).missedCommits).mode & 0o777).toBe(0o600);
});

async function timed(
  repo: string,
  paths: DataPaths,
  launch?: Parameters<typeof enqueueNewestCommit>[0]["launch"],
) {
  const startedAt = performance.now();
  await enqueueNewestCommit({
    directory: repo,
    paths,
    env: {},
    now: () => new Date(),
    budgetMs: 600,
    ...(launch ? { launch } : {}),
  });
  return performance.now() - startedAt;
}

test("P01 a daemon that cannot be started costs no more than the budget, and the commit is kept", async () => {
  using dir = tempDir();
  using repo = testRepo();
  const paths = dataPaths(dir.join("data"));
  const spentMs = await timed(repo.path, paths, async () => {
    throw new Error("no such program");
  });
  expectWithin(spentMs, 600);
  expect(missedOf(paths.dataDir)).toMatchObject([{ sha: repo.git("rev-parse", "HEAD") }]);
  expect(logOf(paths.dataDir)).toMatchObject([{ outcome: "fail", message: "no such program" }]);
});

test("P02 a daemon that starts too slowly, or hangs in the request, costs no more than the budget", async () => {
  using dir = tempDir();
  using repo = testRepo();
  const paths = dataPaths(dir.join("slow"));
  let pid = 0;
  const spentMs = await timed(repo.path, paths, async (where) => {
    const child = await launchDaemon(where, holderArgv("deaf", where));
    pid = child.pid;
    return child;
  });
  process.kill(pid, "SIGKILL");
  expectWithin(spentMs, 900);
  expect(missedOf(paths.dataDir)).toHaveLength(1);

  await using hung = place({ "POST /api/enqueue": () => new Promise(() => {}) });
  expect(await timed(hung.repo.path, dataPaths(hung.dataDir))).toBeLessThan(900);
  expect(missedOf(hung.dataDir)).toHaveLength(1);
});

test("post-commit is silent and 0 whatever is wrong: flags, data directory, read-only home, deleted directory", async () => {
  await using at = place(queueing);
  using dir = tempDir({ "not-a-directory": "" });
  expect(await at.cli(["post-commit", "--nonsense", "x"])).toEqual(silent);
  expect(await at.cli(["post-commit"], { env: { ROBOREV_DATA_DIR: "relative" } })).toEqual(silent);
  expect(await at.cli(["post-commit"], { env: { ROBOREV_DATA_DIR: dir.join("not-a-directory/x") } })).toEqual(
    silent,
  );
  expect(await at.cli(["--server", "odd", "post-commit"])).toEqual(silent);
  expect((await at.cli(["post-commit", "--help"])).stdout).toContain("Usage");
});

test("the log of commits is rotated at 1 MB, one old file is kept", async () => {
  await using at = place(queueing);
  const { postCommitLog } = dataPaths(at.dataDir);
  chmodSync(at.dataDir, 0o700);
  writeFileSync(postCommitLog, "x".repeat(1024 * 1024));
  await at.cli(["post-commit"]);
  expect(statSync(`${postCommitLog}.1`).size).toBe(1024 * 1024);
  expect(logOf(at.dataDir)).toHaveLength(1);
});

const [a, b] = ["a".repeat(40), "b".repeat(40)];

test("remap hands on git's pairs, prints counts unless quiet, and always ends with 0", async () => {
  await using at = place({ "POST /api/remap": () => ({ remapped: 1, superseded: 0, skipped: 2 }) });
  const stdin = `${a} ${b}\nnonsense\n`;
  expect(await at.cli(["remap"], { stdin })).toEqual({
    code: 0,
    stdout: "Remapped 1, superseded 0, skipped 2\n",
    stderr: "",
  });
  expect(await at.cli(["remap", "--quiet"], { stdin })).toEqual(silent);
  expect(at.daemon.of("POST /api/remap")[0]?.body).toEqual({
    repo_path: at.repo.path,
    mappings: [{ old_sha: a, new_sha: b }],
  });
});

test("remap of thousands of commits goes out in portions, and of none asks nobody", async () => {
  await using at = place({ "POST /api/remap": () => ({ remapped: 1, superseded: 0, skipped: 0 }) });
  const line = (index: number) => `${index.toString(16).padStart(40, "0")} ${a}`;
  await at.cli(["remap", "-q"], {
    stdin: Array.from({ length: 2001 }, (_, index) => line(index)).join("\n"),
  });
  expect(at.daemon.of("POST /api/remap")).toHaveLength(3);
  at.daemon.seen.length = 0;
  await at.cli(["remap"], { stdin: "" });
  expect(at.daemon.seen).toEqual([]);
});

test("a failed remap is logged, silent, and 0", async () => {
  await using at = place({ "POST /api/remap": () => reply(500, { error: "broken" }) });
  expect(await at.cli(["remap", "--quiet"], { stdin: `${a} ${b}` })).toEqual(silent);
  expect(logOf(at.dataDir)).toMatchObject([{ outcome: "fail", message: "remap: broken" }]);
});
