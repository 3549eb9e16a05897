import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { reply } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { testJob, testReview } from "./fixtures.ts";
import { place } from "./place.ts";

const queueing = {
  "POST /api/enqueue": ({ body }: { body: unknown }) =>
    reply(201, testJob({ git_ref: (body as { git_ref: string }).git_ref, status: "queued" })),
};

test("review queues HEAD by its full SHA and prints the receipt that scripts read", async () => {
  await using at = place(queueing);
  const head = at.repo.git("rev-parse", "HEAD");
  expect(await at.cli(["review"])).toEqual({
    code: 0,
    stdout: `Enqueued job 7 for ${head.slice(0, 7)} (agent: codex)\n`,
    stderr: "",
  });
  expect(at.daemon.of("POST /api/enqueue")[0]?.body).toEqual({
    repo_path: at.repo.path,
    git_ref: head,
    branch: "main",
  });
});

test("review hands every choice to the daemon", async () => {
  await using at = place(queueing);
  await at.cli([
    "review",
    "HEAD",
    "--agent",
    "claude",
    "-m",
    "opus",
    "--fast",
    "--type",
    "security",
    "--min-severity",
    "high",
    "-q",
  ]);
  await at.cli(["review", "--fast", "--reasoning", "HIGH", "--json"]);
  expect(at.daemon.of("POST /api/enqueue").map((call) => call.body)).toMatchObject([
    { agent: "claude-code", model: "opus", reasoning: "fast", review_type: "security", min_severity: "high" },
    { reasoning: "thorough" },
  ]);
});

test("two positionals are a range with its first commit in it; the root commit starts at the empty tree", async () => {
  await using at = place(queueing);
  const root = at.repo.git("rev-parse", "HEAD");
  const two = at.repo.commit("two", { a: "2" });
  const three = at.repo.commit("three", { a: "3" });
  await at.cli(["review", "HEAD~1", "HEAD"]);
  await at.cli(["review", root, "HEAD"]);
  await at.cli(["review", `${two.slice(0, 10)}..HEAD`]);
  await at.cli(["review", "--since", two]);
  expect(at.daemon.of("POST /api/enqueue").map((call) => (call.body as { git_ref: string }).git_ref)).toEqual(
    [
      `${root}..${three}`,
      `4b825dc642cb6eb9a060e54bf8d69288fbee4904..${three}`,
      `${two}..${three}`,
      `${two}..${three}`,
    ],
  );
});

test("--branch is everything since the base, and says how much on standard error", async () => {
  await using at = place(queueing);
  const base = at.repo.git("rev-parse", "HEAD");
  at.repo.git("checkout", "-q", "-b", "feature");
  const head = at.repo.commit("work", { a: "1" });
  const result = await at.cli(["review", "--branch"]);
  expect(result).toMatchObject({ code: 0, stderr: 'Branch "feature": 1 commit since main\n' });
  at.repo.git("checkout", "-q", "main");
  await at.cli(["review", "--branch=feature", "--base", base]);
  expect(at.daemon.of("POST /api/enqueue").map((call) => call.body)).toMatchObject([
    { git_ref: `${base}..${head}`, branch: "feature" },
    { git_ref: `${base}..${head}`, branch: "feature" },
  ]);
  expect((await at.cli(["review", "--branch"])).code).toBe(1);
});

test("--dirty sends the diff of what is not committed, without what is excluded", async () => {
  await using at = place(queueing);
  at.repo.write(".roborev.toml", 'exclude_patterns = ["*.gen.js"]\n');
  at.repo.commit("config");
  expect((await at.cli(["review", "--dirty"])).stderr).toContain("no uncommitted changes");
  at.repo.write("README.md", "# changed\n");
  at.repo.write("new.js", "let a;\n");
  at.repo.write("x.gen.js", "secret generated\n");
  const result = await at.cli(["review", "--dirty"]);
  expect(result.stdout).toBe("Enqueued dirty review job 7 (agent: codex)\n");
  const body = at.daemon.of("POST /api/enqueue")[0]?.body as { git_ref: string; diff_content: string };
  expect(body.git_ref).toBe("dirty");
  expect(body.diff_content).toContain("+# changed");
  expect(body.diff_content).toContain("+let a;");
  expect(body.diff_content).not.toContain("generated");
});

test("a skipped request is told with its reason, exit 0", async () => {
  await using at = place({ "POST /api/enqueue": () => ({ skipped: true, reason: "branch excluded" }) });
  expect(await at.cli(["review"])).toEqual({ code: 0, stdout: "Skipped: branch excluded\n", stderr: "" });
  expect(await at.cli(["review", "-q"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("P11 every pair that excludes itself is rejected before anything happens", async () => {
  await using at = place();
  const pairs = [
    ["--branch", "--dirty"],
    ["--branch", "--since", "HEAD"],
    ["--since", "HEAD", "--dirty"],
    ["--since", "HEAD", "HEAD"],
    ["--branch", "feature"],
    ["--dirty", "HEAD"],
    ["--base", "main"],
    ["--type", "odd"],
    ["--min-severity", "nit"],
    ["--reasoning", "hard"],
    ["a", "b", "c"],
    ["--sha", "HEAD", "HEAD"],
  ];
  for (const argv of pairs) {
    const result = await at.cli(["review", ...argv]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
  }
  expect((await at.cli(["review", "--branch", "feature"])).stderr).toContain("write --branch=<name>");
  expect(at.daemon.seen).toEqual([]);
});

test("P10 outside a repository the ones below are offered; --quiet says nothing, exit 0", async () => {
  await using at = place();
  using dir = tempDir();
  mkdirSync(dir.join("my shop", ".git"), { recursive: true });
  mkdirSync(dir.join("other", ".git"), { recursive: true });
  const result = await at.cli(["review"], { cwd: dir.path });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("roborev review --repo 'my shop' or roborev review --repo other");
  expect(await at.cli(["review", "--quiet"], { cwd: dir.path })).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("nothing is queued during a rebase, inside a reviewer, or for a ref that does not exist", async () => {
  await using at = place();
  expect((await at.cli(["review", "no-such"])).stderr).toContain("no-such is not a commit");
  expect((await at.cli(["review", "--", "--output=x"])).stderr).toContain("is not a commit");
  expect(await at.cli(["review"], { env: { ROBOREV_REVIEW_JOB: "3" } })).toMatchObject({
    code: 1,
    stdout: "",
  });
  mkdirSync(`${at.repo.path}/.git/rebase-merge`);
  expect(await at.cli(["review"])).toEqual({ code: 0, stdout: "Skipped: rebase in progress\n", stderr: "" });
  expect(await at.cli(["review", "-q"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(at.daemon.of("POST /api/enqueue")).toEqual([]);
});

test("an error of the daemon is shown in its words", async () => {
  await using at = place({
    "POST /api/enqueue": () => reply(400, { error: ".roborev.toml:3:1: not TOML", code: "E_CONFIG" }),
  });
  expect(await at.cli(["review"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: .roborev.toml:3:1: not TOML\n",
  });
});

const finished = (more: Parameters<typeof testJob>[0]) => ({
  ...queueing,
  "GET /api/jobs": () => ({ jobs: [testJob(more)], has_more: false, stats: {} }),
  "GET /api/review": () => testReview({ job: testJob(more) }),
});

test("C03 --wait prints the review; exit 1 for findings, without an error line", async () => {
  await using at = place(finished({ verdict: "F" }));
  const result = await at.cli(["review", "--wait"]);
  expect(result).toMatchObject({ code: 1, stderr: "" });
  expect(result.stdout).toContain("High: an empty list divides by zero.");
  expect(await at.cli(["review", "--wait", "-q"])).toEqual({ code: 1, stdout: "", stderr: "" });
  expect(JSON.parse((await at.cli(["review", "--wait", "--json"])).stdout)).toMatchObject({ job_id: 7 });
});

test("--wait exits 0 for a pass and for a skipped job, 1 with the reason for a failed one", async () => {
  await using pass = place(finished({ verdict: "P" }));
  expect((await pass.cli(["review", "--wait"])).code).toBe(0);
  await using skipped = place(finished({ status: "skipped", skip_reason: "empty diff" }));
  expect(await skipped.cli(["review", "--wait"])).toMatchObject({ code: 0, stderr: "" });
  await using failed = place(finished({ status: "failed", error: "no-verdict: the reviewer said nothing" }));
  const result = await failed.cli(["review", "--wait"]);
  expect(result).toMatchObject({
    code: 1,
    stderr: "Error: job 7 failed: no-verdict: the reviewer said nothing\n",
  });
});

test("an interrupted --wait ends with 130", async () => {
  const controller = new AbortController();
  await using at = place({
    ...queueing,
    "GET /api/jobs": () => {
      controller.abort();
      return { jobs: [testJob({ status: "running" })], has_more: false, stats: {} };
    },
  });
  expect((await at.cli(["review", "--wait"], { signal: controller.signal })).code).toBe(130);
});

test("a reviewer that does not exist is refused from the arguments, with those that do", async () => {
  await using at = place();
  const result = await at.cli(["review", "--agent", "gpt"]);
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toStartWith(
    "Error: there is no reviewer gpt. Use one of: codex, claude-code, gemini, copilot, opencode, cursor, droid, qwen, grok, hermes, test.\n",
  );
  expect(at.daemon.seen).toEqual([]);
});

test("--repo that is wrong is told as what it is, with repositories below it as they must be typed", async () => {
  await using at = place();
  using dir = tempDir({ "my shop/.git/HEAD": "" });
  const from = (repo: string) => at.cli(["review", "--repo", repo], { cwd: "/" });
  expect((await from(dir.join("none"))).stderr).toBe(`Error: there is no directory ${dir.join("none")}\n`);
  expect((await from(dir.path)).stderr).toContain(`Try: roborev review --repo '${dir.join("my shop")}'\n`);
});
