import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { reply } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { testJob, testReview } from "./fixtures.ts";
import { place } from "./place.ts";
import { runCli } from "./run-cli.ts";

const stats = { done: 0, closed: 0, open: 0 };
const jobs = (...list: ReturnType<typeof testJob>[]) => ({ jobs: list, has_more: false, stats });

test("list asks for this repository and branch, jobs without a branch included", async () => {
  await using at = place({
    "GET /api/jobs": () =>
      jobs(
        testJob(),
        testJob({ id: 6, status: "running", verdict: undefined as never, closed: undefined as never }),
      ),
  });
  const result = await at.cli(["list"]);
  expect(at.daemon.of("GET /api/jobs")[0]?.query).toEqual({
    repo: at.repo.path,
    branch: "main",
    branch_include_empty: "true",
    limit: "50",
  });
  expect(result.code).toBe(0);
  expect(result.stdout.split("\n").slice(0, 2)).toEqual([
    "ID  SHA      Repo  Agent  Status   P/F  Closed  Time",
    "7   aaaaaaa  shop  codex  done     F    no      1m03s",
  ]);
});

test("list works in a linked worktree, with the main root and the worktree's branch", async () => {
  await using at = place({ "GET /api/jobs": () => jobs(), "GET /api/repos": () => ({ repos: [] }) });
  using other = tempDir();
  at.repo.git("worktree", "add", "-q", "-b", "side", other.join("tree"));
  const result = await at.cli(["list", "--open"], { cwd: other.join("tree") });
  expect(at.daemon.of("GET /api/jobs")[0]?.query).toMatchObject({
    repo: at.repo.path,
    branch: "side",
    closed: "false",
  });
  expect(result).toMatchObject({ code: 0, stdout: "" });
  expect(result.stderr).toContain('No such jobs on branch "side".');
});

test("list outside any repository asks for everything below, and for a branch only when one is named", async () => {
  await using at = place({ "GET /api/jobs": () => ({ ...jobs(testJob()), has_more: true }) });
  using outside = tempDir();
  const result = await at.cli(["list", "--limit", "1"], { cwd: outside.path });
  await at.cli(["list", "--branch", "x", "--closed", "--status", "done"], { cwd: outside.path });
  expect(at.daemon.of("GET /api/jobs").map((call) => call.query)).toEqual([
    { repo_prefix: outside.path, limit: "1" },
    {
      repo_prefix: outside.path,
      branch: "x",
      branch_include_empty: "true",
      status: "done",
      closed: "true",
      limit: "50",
    },
  ]);
  expect(result.stderr).toContain("roborev list --limit 2");
});

test("list --json is a bare array of jobs, and nothing else is printed", async () => {
  await using at = place({ "GET /api/jobs": () => jobs(testJob()) });
  const result = await at.cli(["list", "--json"]);
  expect(JSON.parse(result.stdout)).toEqual([testJob()]);
  expect(result.stderr).toBe("");
});

test("list rejects contradictions and odd numbers before it asks anybody", async () => {
  await using at = place();
  for (const argv of [
    ["list", "--open", "--closed"],
    ["list", "--limit", "x"],
    ["list", "--limit", "-1"],
    ["list", "--status", "odd"],
    ["list", "x"],
  ]) {
    expect((await at.cli(argv)).code).toBe(2);
  }
  expect(at.daemon.seen).toEqual([]);
});

test("show without argument is the review of HEAD in this repository", async () => {
  const comments = [
    { id: 1, responder: "ann\x1b[31m", response: "Fixed\nin b", created_at: "2026-03-04T05:06:00.000Z" },
  ];
  const usage = { input: 100_000, cached: 18_000, output: 28_800, cost_usd: 0.4211 };
  await using at = place({
    "GET /api/review": () =>
      testReview({ comments, job: testJob({ token_usage: usage, commit_subject: "Add mean" }) }),
  });
  const head = at.repo.git("rev-parse", "HEAD");
  const result = await at.cli(["show"]);
  expect(at.daemon.of("GET /api/review")[0]?.query).toMatchObject({ ref: head, repo: at.repo.path });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toBe(
    [
      "Review of aaaaaaa  Add mean",
      "Job 7 · reviewer codex · verdict fail · open",
      "118.0k ctx · 28.8k out · ~$0.42",
      "-".repeat(60),
      "High: an empty list divides by zero.",
      "",
      "--- Comments ---",
      "[Mar 04 05:06] ann [31m: Fixed\nin b",
      "",
    ].join("\n"),
  );
});

test("C01 show takes digits as a git ref first, as a job number otherwise, and --job forces the number", async () => {
  await using at = place({ "GET /api/review": () => testReview() });
  at.repo.git("tag", "123456");
  const head = at.repo.git("rev-parse", "HEAD");
  await at.cli(["show", "123456"]);
  await at.cli(["show", "--job", "123456"]);
  await at.cli(["show", "42"]);
  const worktree = at.repo.path;
  expect(at.daemon.of("GET /api/review").map((call) => call.query)).toEqual([
    { ref: head, repo: worktree, worktree },
    { job_id: "123456", worktree },
    { job_id: "42", worktree },
  ]);
});

test("show outside a repository takes a number only, and says so", async () => {
  await using at = place({ "GET /api/review": () => testReview() });
  using outside = tempDir();
  expect((await at.cli(["show", "7"], { cwd: outside.path })).code).toBe(0);
  expect(at.daemon.seen.at(-1)?.query).toEqual({ job_id: "7" });
  expect((await at.cli(["show"], { cwd: outside.path })).stderr).toContain("Name a job by its number");
  expect((await at.cli(["show", "--job"], { cwd: outside.path })).code).toBe(2);
  expect((await at.cli(["show", "no-such-ref"])).stderr).toContain("neither a commit nor a job number");
  expect((await at.cli(["show", "--upload-pack=x"])).code).toBe(2);
});

test("show marks a review of the built-in reviewer and strips control characters from a hostile one", async () => {
  const output = "fine\x1b[2J\u202ehidden";
  await using at = place({ "GET /api/review": () => testReview({ agent: "test", output }) });
  const { stdout } = await at.cli(["show"]);
  expect(stdout).toContain("reviewer test (built-in, only looks for BUG: lines)");
  expect(stdout).toContain("fine[2Jhidden");
  expect(stdout).not.toContain("\x1b");
});

test("show --json is the review with its comments and its job, without the prompt, which repeats the diff", async () => {
  const review = testReview();
  await using at = place({
    "GET /api/review": () => ({ ...review, prompt: "diff", job: { ...review.job, prompt: "diff" } }),
  });
  const { prompt: _, ...rest } = review;
  expect(JSON.parse((await at.cli(["show", "--json"])).stdout)).toEqual(rest);
});

test("show says what became of a job without a review", async () => {
  const cases: [Parameters<typeof testJob>[0], string][] = [
    [{ status: "queued" }, "there is no review yet: job 7 is queued. Wait for it with: roborev wait --job 7"],
    [
      { status: "failed", error: "timeout\nafter 1 s" },
      "there is no review: job 7 failed: timeout after 1 s",
    ],
    [{ status: "skipped", skip_reason: "empty diff" }, "there is no review: job 7 was skipped: empty diff"],
  ];
  for (const [more, message] of cases) {
    const job = testJob({ ...more, verdict: undefined as never });
    await using at = place({
      "GET /api/review": () => reply(404, { error: "no review", code: "E_NO_REVIEW", job }),
    });
    expect(await at.cli(["show", "--job", "7"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `Error: ${message}\n`,
    });
  }
});

test("show of an unreviewed commit says how to get a review, and finds one under another path of the repository", async () => {
  const missing = () => reply(404, { error: "no review", code: "E_NO_REVIEW" });
  await using none = place({ "GET /api/review": missing, "GET /api/jobs": () => jobs() });
  expect((await none.cli(["show"])).stderr).toMatch(
    /^Error: no review found for [0-9a-f]{7}\. Queue one with: roborev review/,
  );
  await using moved = place({
    "GET /api/review": ({ query }) => (query.job_id ? testReview() : missing()),
    "GET /api/jobs": ({ query }) => (query.repo ? jobs() : jobs(testJob())),
  });
  expect((await moved.cli(["show"])).code).toBe(0);
});

test("show --prompt works for a job that is still running", async () => {
  await using at = place({
    "GET /api/jobs": ({ query }) =>
      jobs(testJob({ status: "running", ...(query.id ? { prompt: "Look at this" } : {}) })),
  });
  expect((await at.cli(["show", "--prompt"])).stdout).toBe(
    `Prompt of job 7\n${"-".repeat(60)}\nLook at this\n`,
  );
  expect(JSON.parse((await at.cli(["show", "--prompt", "--json"])).stdout)).toEqual({
    job_id: 7,
    prompt: "Look at this",
  });
});

test("a corrupt answer and a daemon that is not running are one line each, exit 1", async () => {
  await using at = place({ "GET /api/review": () => reply(200, ["odd"]) });
  expect((await at.cli(["show"])).stderr).toBe(
    "Error: the daemon's answer to /api/review is not an object\n",
  );
  using dir = tempDir();
  mkdirSync(dir.join("data"));
  const result = await at.cli(["--server", `unix://${dir.join("none.sock")}`, "show"]);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toContain("no daemon is listening on");
});

test("a wrong address is refused before anything else, wherever it comes from", async () => {
  await using at = place();
  for (const server of ["127.0.0.1:7373", "http://evil.example", "unix://relative", "unix:", ""]) {
    expect((await at.cli([`--server=${server}`, "show"])).code).toBe(2);
  }
  const result = await runCli(["show"], { cwd: at.repo.path, env: { ROBOREV_SERVER: "tcp://x" } });
  expect(result).toMatchObject({ code: 2 });
  expect(result.stderr).toStartWith("Error: ROBOREV_SERVER is not an address: tcp://x");
  expect(at.daemon.seen).toEqual([]);
});

test("C02 wait: 0 only if every review passed or needed none", async () => {
  const all = {
    1: testJob({ id: 1, verdict: "P" }),
    2: testJob({ id: 2, verdict: "F" }),
    3: testJob({ id: 3, status: "canceled" }),
    4: testJob({ id: 4, status: "skipped", skip_reason: "empty diff" }),
    5: testJob({ id: 5, status: "failed", error: "no-verdict: odd" }),
  };
  await using at = place({
    "GET /api/jobs": ({ query }) =>
      jobs(...(all[query.id as unknown as 1] ? [all[query.id as unknown as 1]] : [])),
  });
  const wait = (...ids: string[]) => at.cli(["wait", "--job", ...ids]);
  expect(await wait("1", "4")).toEqual({
    code: 0,
    stderr: "",
    stdout: "job 1: passed\njob 4: was skipped: empty diff\n",
  });
  expect(await wait("1", "2", "3", "5", "6")).toEqual({
    code: 1,
    stdout: "job 1: passed\n",
    stderr: [
      "job 2: failed. Read it with: roborev show --job 2",
      "job 3: job 3 was canceled",
      "job 5: job 5 failed: no-verdict: odd",
      "job 6: no job found",
      "",
    ].join("\n"),
  });
  expect(await at.cli(["wait", "--job", "2", "-q"])).toEqual({ code: 1, stdout: "", stderr: "" });
  const asJson = await at.cli(["wait", "--job", "2", "--json"]);
  expect(JSON.parse(asJson.stdout)).toMatchObject([{ target: "job 2", passed: false, job: { id: 2 } }]);
});

test("wait without argument waits for HEAD, never queues, and polls until the job is done", async () => {
  let asked = 0;
  await using at = place({
    "GET /api/jobs": ({ query }) => {
      if (query.git_ref) return jobs(testJob({ status: "queued" }));
      return jobs(testJob(asked++ < 2 ? { status: "running" } : { verdict: "P" }));
    },
  });
  const head = at.repo.git("rev-parse", "HEAD");
  expect((await at.cli(["wait"])).code).toBe(0);
  expect(at.daemon.of("GET /api/jobs")[0]?.query).toEqual({ git_ref: head, repo: at.repo.path, limit: "1" });
  expect(asked).toBe(3);
  expect(at.daemon.of("POST /api/enqueue")).toEqual([]);
});

test("wait looks for a commit in this repository first, then under any path", async () => {
  await using at = place({
    "GET /api/jobs": ({ query }) => (query.repo ? jobs() : jobs(testJob({ verdict: "P" }))),
  });
  expect((await at.cli(["wait", "HEAD"])).code).toBe(0);
  expect((await at.cli(["wait", "--sha", "HEAD", "HEAD"])).code).toBe(2);
  expect((await at.cli(["wait", "nonsense"])).stderr).toContain("neither a commit nor a job number");
});

test("wait for a range and for uncommitted changes uses what the job is called", async () => {
  await using at = place({ "GET /api/jobs": () => jobs(testJob({ verdict: "P" })) });
  const first = at.repo.git("rev-parse", "HEAD");
  const second = at.repo.commit("second", { a: "1" });
  await at.cli(["wait", "HEAD~1..HEAD", "dirty"]);
  const refs = at.daemon
    .of("GET /api/jobs")
    .map((call) => call.query.git_ref)
    .filter(Boolean);
  expect(refs.toSorted()).toEqual([`${first}..${second}`, "dirty"].toSorted());
});
