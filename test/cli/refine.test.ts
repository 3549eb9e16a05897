import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { testJob } from "./fixtures.ts";
import { place } from "./place.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

test("C08 what makes refine impossible is said before anything happens, with what to do", async () => {
  await using at = place();
  const refused = async (argv: string[] = [], options: object = {}) =>
    (await at.cli(["refine", ...argv], options)).stderr;
  const elsewhere = at.repo.git("commit-tree", "-m", "other", "HEAD^{tree}");
  expect(await refused()).toBe(
    'Error: "main" is the base branch: there is nothing to compare it with. Switch to a feature branch, or name the commit to begin after: roborev refine --since COMMIT\n',
  );
  expect(await refused(["--since", elsewhere])).toContain("is not an ancestor of HEAD");
  expect(await refused(["--since", "nowhere"])).toStartWith(
    'Error: "nowhere" names no commit in this repository.',
  );
  expect(await refused(["--since=--output=x"])).toContain("names no commit in this repository.");
  at.repo.git("switch", "-q", "-c", "feature");
  at.repo.commit("one");
  expect(await refused(["--branch", "main"])).toBe(
    'Error: "main" is not checked out here; "feature" is. Check it out first, with git switch.\n',
  );
  expect(await refused([], { env: { ROBOREV_REVIEW_JOB: "7" } })).toStartWith(
    "Error: a reviewer cannot refine.",
  );
  expect(await refused([], { cwd: at.dataDir })).toContain("is not inside a git repository");
  at.repo.write("README.md", "changed");
  expect(await refused()).toStartWith("Error: 1 tracked file has uncommitted changes: README.md.");
  mkdirSync(`${at.repo.path}/.git/rebase-merge`);
  expect(await refused()).toStartWith(`Error: a rebase is in progress in ${at.repo.path}.`);
  expect(at.daemon.seen).toEqual([]);
});

test("flags that make no sense, alone or together, are refused before anything happens", async () => {
  await using at = place();
  for (const [argv, message] of [
    [["--newest-first"], "--newest-first needs --all-branches or --list"],
    [["--all-branches", "--branch", "x"], "--all-branches and --branch cannot be used together"],
    [["--all-branches", "--since", "x"], "--all-branches and --since cannot be used together"],
    [["--max-iterations", "0"], "--max-iterations must be a whole number of at least 1"],
    [["--agent", "nobody"], "there is no reviewer nobody"],
    [["--reasoning", "deep"], "--reasoning cannot be deep"],
    [["--min-severity", "huge"], "--min-severity cannot be huge"],
    [["extra"], "unexpected argument: extra"],
  ] as const) {
    const { code, stderr } = await at.cli(["refine", ...argv]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
  expect(at.daemon.seen).toEqual([]);
});

/** A branch with a commit, and a daemon in which the review of all its commits has passed. */
function passing(config: string) {
  const at = place({
    "GET /api/reviews/open": () => ({ reviews: [], tracked: true, branch: "feature" }),
    "GET /api/jobs": ({ query }) => ({
      jobs:
        query.git_ref === undefined ? [] : [testJob({ git_ref: query.git_ref, verdict: "P", closed: true })],
    }),
  });
  at.repo.git("switch", "-q", "-c", "feature");
  at.repo.commit("one");
  const program = stubReviewer(`${at.dataDir}/agent`, "say x");
  writeFileSync(`${at.dataDir}/config.toml`, `${config}\nclaude_code_cmd = "${program}"\n`);
  return at;
}

test("a branch whose review passed needs no agent, not even one that is installed; --json is one document", async () => {
  await using at = passing('default_agent = "codex"\ncodex_cmd = "/nowhere/codex"');
  expect(await at.cli(["refine"])).toEqual({
    ...{ code: 0, stderr: "" },
    stdout: "The review of the one commit passed (job 7).\n",
  });
  expect(await at.cli(["refine", "--quiet", "--branch", "feature"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect(JSON.parse((await at.cli(["refine", "--json"])).stdout)).toEqual({
    ...{ outcome: "passed", branch: "feature", message: "The review of the one commit passed (job 7)" },
    ...{ iterations: 0, results: [], commits: [] },
  });
  at.repo.git("switch", "-q", "-c", "same", "main");
  expect((await at.cli(["refine"])).stdout).toBe("There are no commits to refine.\n");
});

test("without an agent that can edit it fails before it waits for a review, and names refine_agent", async () => {
  const pending = place({
    "GET /api/reviews/open": () => ({ reviews: [], tracked: true, branch: "feature" }),
    "GET /api/jobs": ({ query }) => ({
      jobs: query.status === "queued" ? [testJob({ git_ref: pending.repo.git("rev-parse", "HEAD") })] : [],
    }),
  });
  await using at = pending;
  at.repo.git("switch", "-q", "-c", "feature");
  at.repo.commit("one");
  writeFileSync(`${at.dataDir}/config.toml`, 'default_agent = "test"\nfix_agent = "codex"\n');
  expect(await at.cli(["refine"])).toEqual({
    ...{ code: 1, stdout: "" },
    stderr:
      "Error: the built-in reviewer test cannot fix anything. Name an agent with --agent, or set refine_agent in config.toml.\n",
  });
});

test("allow_unsafe_agents = false keeps agents from working; the flag allows it for this one run", async () => {
  await using at = passing("allow_unsafe_agents = false");
  const refused = await at.cli(["refine"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("allow_unsafe_agents is false. To allow it: ");
  expect(refused.stderr).toEndWith("; for this once: --allow-unsafe-agents\n");
  expect(at.daemon.seen).toEqual([]);
  expect((await at.cli(["refine", "--allow-unsafe-agents"])).code).toBe(0);
});

test("refine --list is the list of roborev fix", async () => {
  await using at = passing("");
  expect(await at.cli(["refine", "--list", "--all-branches", "--newest-first"])).toEqual(
    await at.cli(["fix", "--list", "--all-branches"]),
  );
  expect(at.daemon.of("GET /api/reviews/open").map(({ query }) => query.all_branches)).toEqual([
    "true",
    "true",
  ]);
});
