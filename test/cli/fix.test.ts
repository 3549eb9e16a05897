import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { OpenReview } from "../../src/daemon/api/responses.ts";
import { reply } from "../client/fake-daemon.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { waitFor } from "../support/wait.ts";
import { sha, testJob, testReview } from "./fixtures.ts";
import { place } from "./place.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const review = (more: Partial<OpenReview> = {}): OpenReview => ({
  ...testJob({ branch: "main", commit_subject: "Sum the cart", model: "gpt-5" }),
  summary: "high: an empty cart divides by zero (src/cart.ts:12), and 1 more",
  ...more,
});
const listing = (reviews: OpenReview[]) => ({
  "GET /api/reviews/open": () => ({ reviews, tracked: true, branch: "main" }),
});

test("fix --list shows what is open in one request: job, ref, branch, subject, agent, model, time, verdict, one line", async () => {
  await using at = place(
    listing([review(), review({ id: 9, branch: undefined as never, git_ref: "dirty" })]),
  );
  const result = await at.cli(["fix", "--list"], { env: { TZ: "UTC" } });
  expect(result.code).toBe(0);
  expect(result.stdout).toMatch(
    /^Job 7 · aaaaaaa · main · Sum the cart\n {2}failed · codex \(gpt-5\) · Jan 01 \d\d:\d\d\n/,
  );
  expect(result.stdout).toContain(
    "  high: an empty cart divides by zero (src/cart.ts:12), and 1 more\n\nJob 9 · dirty · no branch",
  );
  expect(result.stderr).toBe(
    "Read one: roborev show --job 7 --json\nHave one fixed: roborev fix 7; all of these: roborev fix\n",
  );
  expect(at.daemon.seen.map(({ route }) => route)).toEqual(["GET /api/ping", "GET /api/reviews/open"]);
  expect(at.daemon.of("GET /api/reviews/open")[0]?.query).toEqual({ path: at.repo.path });
});

test("fix --list --json is an array of jobs, empty where nothing is open; --open and --unaddressed change nothing", async () => {
  await using at = place(listing([review()]));
  const { stdout } = await at.cli(["fix", "--open", "--list", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    { id: 7, git_ref: sha("a"), verdict: "F", summary: expect.stringContaining("divides by zero") },
  ]);
  at.daemon.routes["GET /api/reviews/open"] = () => ({ reviews: [], tracked: true, branch: "main" });
  expect(await at.cli(["fix", "--unaddressed", "--list", "--json"])).toEqual({
    code: 0,
    stdout: "[]\n",
    stderr: "",
  });
  expect(await at.cli(["fix", "--list"])).toEqual({
    code: 0,
    stdout: "",
    stderr: 'No open reviews on branch "main".\n',
  });
});

test("fix --list asks for another branch or all of them, and turns the order round", async () => {
  await using at = place(listing([review(), review({ id: 9 })]));
  const { stdout } = await at.cli(["fix", "--list", "--branch", "other", "--newest-first"]);
  expect(stdout.indexOf("Job 9")).toBeLessThan(stdout.indexOf("Job 7"));
  await at.cli(["fix", "--list", "--all-branches"]);
  expect(at.daemon.of("GET /api/reviews/open").map(({ query }) => query)).toEqual([
    { path: at.repo.path, branch: "other" },
    { path: at.repo.path, all_branches: "true" },
  ]);
});

test("names of strangers in the list carry no control characters to the terminal", async () => {
  const evil = "\x1b[2Jx\u202e";
  await using at = place(
    listing([review({ branch: evil, commit_subject: evil, agent: evil, model: evil, git_ref: evil })]),
  );
  expect((await at.cli(["fix", "--list"])).stdout).not.toMatch(/[\x1b\u202e]/);
});

test("what excludes each other is said before anything happens", async () => {
  await using at = place();
  for (const [pair, argv] of [
    ["--all-branches and --branch", ["--all-branches", "--branch", "b"]],
    ["--all-branches and <job>", ["7", "--all-branches"]],
    ["--branch and <job>", ["7", "--branch", "b"]],
    ["--newest-first and <job>", ["7", "--newest-first"]],
    ["--list and <job>", ["7", "--list"]],
    ["--list and --batch", ["--list", "--batch"]],
    ["--list and --batch-size", ["--list", "--batch-size", "2"]],
    ["--batch and --batch-size", ["--batch", "--batch-size", "2"]],
  ] as const) {
    const { code, stderr } = await at.cli(["fix", ...argv]);
    expect(code).toBe(2);
    expect(stderr).toStartWith(`Error: ${pair} cannot be used together\n`);
  }
  expect(at.daemon.seen).toEqual([]);
});

test("numbers, names and levels that are none are refused before anything happens", async () => {
  await using at = place();
  for (const [argv, message] of [
    [["x7"], "not a job number: x7"],
    [["0"], "not a job number: 0"],
    [["--batch-size", "0"], "--batch-size must be a whole number of at least 1"],
    [["--agent", "nobody"], "there is no reviewer nobody"],
    [["--reasoning", "deep"], "--reasoning cannot be deep"],
    [["--min-severity", "huge"], "--min-severity cannot be huge"],
  ] as const) {
    const { code, stderr } = await at.cli(["fix", ...argv]);
    expect([code, stderr.startsWith(`Error: ${message}`)]).toEqual([2, true]);
  }
  expect(at.daemon.seen).toEqual([]);
});

test("D30 fix refuses inside a reviewer; outside a repository, in a rebase and with uncommitted changes it asks no daemon", async () => {
  await using at = place();
  const refused = async (options: object = {}) => (await at.cli(["fix"], options)).stderr;
  expect(await refused({ env: { ROBOREV_REVIEW_JOB: "7" } })).toStartWith(
    "Error: a reviewer cannot fix reviews.",
  );
  expect(await refused({ cwd: at.dataDir })).toContain("is not inside a git repository");
  at.repo.write("README.md", "changed");
  expect(await refused()).toBe(
    "Error: 1 tracked file has uncommitted changes: README.md. They would get mixed up with what the agent changes. Commit them, or put them aside with: git stash\n",
  );
  mkdirSync(`${at.repo.path}/.git/rebase-merge`);
  expect(await refused()).toStartWith(`Error: a rebase is in progress in ${at.repo.path}.`);
  expect(at.daemon.seen).toEqual([]);
});

/** An agent and a daemon with one open review. */
function fixing(shell: string, config = "") {
  const job = testJob({ branch: "main" });
  let closed = false;
  const at = place({
    "GET /api/reviews/open": () => ({ reviews: closed ? [] : [review()], tracked: true, branch: "main" }),
    "GET /api/jobs": () => ({
      jobs: [{ ...job, repo_path: at.repo.path, git_ref: at.repo.git("rev-parse", "HEAD") }],
    }),
    "GET /api/review": () =>
      testReview({ job, closed, findings: [{ number: 1, severity: "high", problem: "zero" }] }),
    "GET /api/status": () => ({ agent_cooldowns: [] }),
    "POST /api/comment": ({ body }) => reply(201, { id: 1, ...(body as object) }),
    "POST /api/review/close": () => {
      closed = true;
      return { success: true };
    },
  });
  const program = stubReviewer(`${at.dataDir}/agent`, `cat >"$0.prompt"; ${shell}`);
  writeFileSync(`${at.dataDir}/config.toml`, `${config}\nclaude_code_cmd = "${program}"\n`);
  return { at, program };
}

test("fix lets the agent of the fix workflow work, says what it did, and ends with 0", async () => {
  const { at, program } = fixing(
    'echo 1 >a.ts; git add a.ts; git commit -qm mended; say "Mended."',
    'default_agent = "codex"\nfix_agent = "claude-code"\nfix_min_severity = "high"\nfix_guidelines = "Sign off."',
  );
  await using _ = at;
  const result = await at.cli(["fix"]);
  const head = at.repo.git("rev-parse", "HEAD");
  expect(result.stdout).toBe(`Job 7: Fixed by claude-code in ${head.slice(0, 7)}.\n`);
  expect(result.code).toBe(0);
  for (const part of [
    "Open: job 7",
    "Review of aaaaaaa",
    "claude-code is at work",
    "Mended.",
    "is reviewed as job 7",
  ])
    expect(result.stderr).toContain(part);
  expect(at.daemon.of("POST /api/comment")[0]?.body).toMatchObject({
    ...{ job_id: 7, commenter: "roborev-fix", worktree_path: at.repo.path },
    comment: `Fixed by claude-code in ${head.slice(0, 7)}.\n\nMended.\n\nThe policy in fix_guidelines was applied.`,
  });
  const prompt = await Bun.file(`${program}.prompt`).text();
  expect(prompt).toContain("Deal with findings of severity critical, high.");
  expect(prompt).toEndWith("## Policy of the user\n\nSign off.");
});

test("--quiet prints nothing but what went wrong, --json one document; a review that stays open is a 1", async () => {
  const { at } = fixing("say Hm.");
  await using _ = at;
  const args = ["fix", "--agent", "claude"];
  const message = "claude-code changed nothing and did not account for every finding: the review stays open";
  expect(await at.cli([...args, "-q"])).toEqual({ code: 1, stdout: "", stderr: `Job 7: ${message}.\n` });
  const { code, stdout } = await at.cli([...args, "--json", "-q"]);
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    { results: [{ job_id: 7, outcome: "unanswered", closed: false, message }] },
  ]);
});

test("a built-in reviewer cannot fix, and one that is not installed is named; nothing is touched", async () => {
  const { at, program } = fixing("say x", 'default_agent = "test"');
  await using _ = at;
  expect((await at.cli(["fix"])).stderr).toContain("Error: the built-in reviewer test cannot fix anything.");
  chmodSync(program, 0o644);
  expect((await at.cli(["fix", "--agent", "claude"])).stderr).toContain(
    "Error: reviewer claude-code is not installed",
  );
  expect(at.daemon.of("POST /api/comment")).toEqual([]);
});

test("allow_unsafe_agents = false keeps every agent from editing", async () => {
  const { at } = fixing("say x", "allow_unsafe_agents = false");
  await using _ = at;
  const { code, stderr } = await at.cli(["fix", "--agent", "claude"]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "Error: no agent may edit files and run commands here: allow_unsafe_agents is false.",
  );
  expect(at.daemon.seen).toEqual([]);
});

test("two fixes in one working tree: the second refuses", async () => {
  const { at } = fixing('touch "$0.started"; while [ ! -e "$0.go" ]; do sleep 0.02; done; say done');
  await using _ = at;
  const first = at.cli(["fix", "--agent", "claude"]);
  await waitFor("the first agent", () => existsSync(`${at.dataDir}/agent.started`));
  const second = await at.cli(["fix", "--agent", "claude"]);
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(second.stderr).toStartWith(`Error: another roborev fix or refine is at work in ${at.repo.path}.`);
  writeFileSync(`${at.dataDir}/agent.go`, "");
  expect((await first).code).toBe(1);
});
