import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Survey } from "../../../src/cli/quickstart/survey.ts";
import { tempDir } from "../../support/temp.ts";
import { testJob } from "../fixtures.ts";
import { place } from "../place.ts";
import { runCli } from "../run-cli.ts";

type Report = Survey & { next_steps: { command?: string; why: string }[] };
const report = (stdout: string) => JSON.parse(stdout) as Report;
const commands = ({ next_steps: steps }: Report) => steps.map(({ command }) => command);

/** A home without any agent, and a PATH without any reviewer. */
function home(files: Record<string, string> = {}) {
  const dir = tempDir(files);
  return { dir, env: { HOME: dir.path, PATH: "/usr/bin:/bin", ROBOREV_DATA_DIR: dir.join("data") } };
}

test("outside of a repository, without daemon and agents, it says what to run, and writes nothing", async () => {
  const { dir, env } = home();
  using _ = dir;
  const result = await runCli(["quickstart", "--json"], { cwd: dir.path, env });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const found = report(result.stdout);
  expect(found).toMatchObject({
    version: "dev",
    daemon: { running: false, address: expect.stringMatching(/^unix:\/\/\//) },
    repo: { in_repo: false, registered: null, open_failed_reviews: null },
    hooks: null,
    default_agent: null,
    guidelines: { present: false, source: null },
  });
  expect(Object.keys(found.skills)).toHaveLength(9);
  expect(new Set(Object.values(found.skills))).toEqual(new Set(["no_agent"]));
  expect(new Set(Object.values(found.agent_hook))).toEqual(new Set(["no_agent"]));
  expect(found.agents.map(({ available }) => available)).not.toContain(true);
  expect(commands(found)).toEqual(["roborev init", undefined]);
  expect(readdirSync(dir.path)).toEqual([]);
  const text = await runCli(["quickstart"], { cwd: dir.path, env });
  expect(text.stdout).toContain("you are in none");
  expect(text.stdout).toContain("no coding agent is known here");
});

test("a directory that is gone is no failure", async () => {
  const { dir, env } = home();
  using _ = dir;
  const gone = await runCli(["quickstart", "--json"], { cwd: dir.join("gone"), env });
  expect([gone.code, report(gone.stdout).repo.in_repo]).toEqual([0, false]);
});

test("in a repository it says how hooks, reviewers, agents and guidelines stand", async () => {
  await using p = place({
    "GET /api/repos": () => ({ repos: [{ root_path: p.repo.path }] }),
    "GET /api/jobs": () => ({
      jobs: [testJob({ verdict: "F" }), testJob({ id: 2, verdict: "P" })],
      has_more: false,
    }),
  });
  const { dir, env } = home({
    "bin/claude": "#!/bin/sh\nexit 1\n",
    ".claude/settings.json": "{}\n",
    ".codex/hooks.json": "{ broken",
  });
  using _ = dir;
  chmodSync(dir.join("bin/claude"), 0o755);
  writeFileSync(join(p.repo.path, ".roborev.toml"), 'review_guidelines = "No loops."\n');
  const more = { env: { HOME: env.HOME, PATH: `${dir.join("bin")}:/usr/bin:/bin` } };
  const found = report((await p.cli(["quickstart", "--json"], more)).stdout);
  expect(found).toMatchObject({
    daemon: { running: true },
    repo: { in_repo: true, root: p.repo.path, registered: true, open_failed_reviews: 1 },
    hooks: { post_commit: "missing", post_rewrite: "missing" },
    default_agent: "claude-code",
    guidelines: { present: true, source: ".roborev.toml" },
    skills: { claude: "missing", codex: "missing", gemini: "no_agent" },
    agent_hook: { claude: "missing", codex: "unreadable", gemini: "no_agent" },
  });
  expect(found.agents.find(({ name }) => name === "claude-code")).toEqual({
    name: "claude-code",
    available: true,
    path: dir.join("bin/claude"),
  });
  expect(p.daemon.of("GET /api/jobs")[0]?.query).toMatchObject({
    repo: p.repo.path,
    branch: "main",
    closed: "false",
  });
  const text = await p.cli(["quickstart"], more);
  expect(text.stdout).toContain("Claude Code (not reminded, no skills), Codex (not reminded, no skills)");
  expect(text.stdout).toContain("1 failed and open on this branch");
});

test("a daemon that takes a second for everything does not hold it up, nor does a broken configuration", async () => {
  const { promise: never } = Promise.withResolvers<object>();
  await using p = place({ "GET /api/repos": () => never, "GET /api/jobs": () => never });
  writeFileSync(join(p.repo.path, ".roborev.toml"), "agent = [\n");
  mkdirSync(p.dataDir, { recursive: true });
  writeFileSync(join(p.dataDir, "config.toml"), "nonsense\n");
  const result = await p.cli(["quickstart", "--json"]);
  expect(result.code).toBe(0);
  expect(report(result.stdout)).toMatchObject({
    daemon: { running: true, problem: "it answers slowly" },
    repo: { registered: null },
    default_agent: null,
    default_agent_problem: expect.stringContaining("config.toml"),
  });
  expect(existsSync(join(p.dataDir, "reviews.db"))).toBe(false);
});
