import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { newConfigText } from "../../src/cli/config-file.ts";
import { parseGlobalConfig } from "../../src/config/parse.ts";
import { dataPaths } from "../../src/config/paths.ts";
import { type fakeDaemon, reply } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { place } from "./place.ts";

const repoRow = { id: 1, root_path: "/r", name: "r", active: true, created_at: "2026-01-01T00:00:00.000Z" };
const registering = {
  "POST /api/repos/register": () => repoRow,
  "POST /api/repos/unregister": () => ({ outcome: "deleted" }),
};

/** A place with a program that hooks can name. */
function setUp(routes: Parameters<typeof fakeDaemon>[1] = registering) {
  const at = place(routes);
  const dir = tempDir({ roborev: "#!/bin/sh\nexit 0\n", codex: "#!/bin/sh\nexit 0\n" });
  for (const name of ["roborev", "codex"]) chmodSync(dir.join(name), 0o755);
  const env = { PATH: `${dir.path}:${process.env.PATH}` };
  const binary = dir.join("roborev");
  return {
    ...at,
    binary,
    config: dataPaths(at.dataDir).config,
    hook: (name: string) => `${at.repo.path}/.git/hooks/${name}`,
    init: (...more: string[]) => at.cli(["init", "--binary", binary, ...more], { env }),
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("init installs the hooks, writes a configuration, registers the repository, and says what is next", async () => {
  await using at = setUp();
  const result = await at.init();
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toContain(`Config  created ${at.config}`);
  expect(result.stdout).toContain("findings below medium severity do not fail a review");
  expect(result.stdout).toContain(`Ready: commits in ${at.repo.path} are reviewed.`);
  expect(result.stdout).toContain("roborev show HEAD");
  expect(readFileSync(at.hook("post-commit"), "utf8")).toContain(at.binary);
  expect(statSync(at.config).mode & 0o777).toBe(0o600);
  expect(at.daemon.of("POST /api/repos/register")[0]?.body).toEqual({ repo_path: at.repo.path });
  expect(at.repo.git("status", "--porcelain")).toBe("");
});

test("init says that the reviewer cannot run, with what to do, and that commits wait", async () => {
  await using at = setUp();
  writeFileSync(at.config, 'default_agent = "codex"\ncodex_cmd = "/no/such/codex"\n');
  const result = await at.init();
  expect(result.code).toBe(0);
  expect(result.stderr).toStartWith(
    "Warning: reviewer codex is not installed: /no/such/codex was not found. ",
  );
  expect(result.stdout).toContain("Review  nobody can review yet");
  expect(result.stdout).toContain("Set up, but commits wait, for a day at most, until a reviewer is there.");
});

test("H05 a second init changes nothing and says so", async () => {
  await using at = setUp();
  await at.init("--agent", "test");
  const files = [at.config, at.hook("post-commit"), at.hook("post-rewrite")];
  const before = files.map((file) => [readFileSync(file, "utf8"), statSync(file).mtimeMs]);
  const result = await at.init("--agent", "test");
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toContain("Nothing to change");
  expect(files.map((file) => [readFileSync(file, "utf8"), statSync(file).mtimeMs])).toEqual(before);
});

test("D40 the new configuration sets the severity floor, is valid, and names the reviewer", () => {
  expect(parseGlobalConfig(newConfigText("test"), "x")).toEqual({
    config: { review_min_severity: "medium", default_agent: "test" },
    warnings: [],
  });
  expect(parseGlobalConfig(newConfigText(undefined), "x")).toEqual({
    config: { review_min_severity: "medium" },
    warnings: [],
  });
});

test("a reviewer is added to a configuration that names none; every other byte stays", async () => {
  await using at = setUp();
  const [top, table] = ["# mine\r\nmax_workers = 2\r\n", "[agent_hook]\r\nturn_threshold = 3\r\n"];
  const before = top + table;
  writeFileSync(at.config, before, { mode: 0o644 });
  const result = await at.init("--agent", "claude");
  expect(readFileSync(at.config, "utf8")).toBe(`${top}default_agent = "claude-code"\r\n${table}`);
  expect(statSync(at.config).mode & 0o777).toBe(0o600);
  expect(result.stdout).toContain("Config  reviewer added to");
});

test("a configuration that names another reviewer keeps it, with a warning that says where to change it", async () => {
  await using at = setUp();
  writeFileSync(at.config, 'default_agent = "codex"\n');
  const result = await at.init("--agent", "test");
  expect(result.code).toBe(0);
  expect(result.stderr).toContain("already chooses the reviewer codex");
  expect(readFileSync(at.config, "utf8")).toBe('default_agent = "codex"\n');
});

test("an unknown reviewer, a broken configuration and a missing program are refused before anything is written", async () => {
  await using at = setUp();
  const unknown = await at.init("--agent", "gpt");
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain("there is no reviewer gpt. Use one of: ");
  expect((await at.cli(["init", "--binary", "/no/such"])).stderr).toContain("resolve roborev binary");
  writeFileSync(at.config, "broken = [\n");
  const broken = await at.init();
  expect(broken).toMatchObject({ code: 1, stdout: "" });
  expect(broken.stderr).toContain("config.toml:");
  expect(existsSync(at.hook("post-commit"))).toBe(false);
  expect(readFileSync(at.config, "utf8")).toBe("broken = [\n");
  expect(at.daemon.seen).toEqual([]);
});

test("H04 a hook in another language is left alone, the other one installed, with what to do by hand, exit 1", async () => {
  await using at = setUp();
  writeFileSync(at.hook("post-commit"), "#!/usr/bin/env python3\n", { mode: 0o755 });
  const result = await at.init();
  expect(result.code).toBe(1);
  expect(result.stdout).not.toContain("Ready");
  expect(result.stdout).toContain(`Not complete: commits in ${at.repo.path} are not reviewed yet.
  - The post-commit hook is no shell script and does not run roborev.
    In ${at.hook("post-commit")}: run "roborev" with the argument post-commit`);
  expect(result.stderr).toContain("Add this to your post-commit hook by hand:");
  expect(readFileSync(at.hook("post-commit"), "utf8")).toBe("#!/usr/bin/env python3\n");
  expect(existsSync(at.hook("post-rewrite"))).toBe(true);
  const byHand = "#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(['roborev', 'post-commit'])\n";
  writeFileSync(at.hook("post-commit"), byHand);
  const again = await at.init();
  expect(again.code).toBe(0);
  expect(again.stdout).toContain("commits in");
  expect(again.stdout).not.toContain("Not complete");
});

test("a hook that git ignores, because it is not executable, is not ready: exit 1, with the command", async () => {
  await using at = setUp();
  writeFileSync(at.hook("post-commit"), "#!/bin/sh\necho mine\n", { mode: 0o644 });
  const result = await at.init();
  expect(result.code).toBe(1);
  expect(result.stdout).not.toContain("Ready");
  expect(result.stdout).toContain(`The post-commit hook is not executable, so git ignores it.
    chmod +x ${at.hook("post-commit")}`);
  const { missing } = JSON.parse((await at.init("--json")).stdout);
  expect(missing).toMatchObject([{ code: "hook-not-executable", repair: expect.stringContaining("chmod") }]);
});

test("in front of husky, which writes its hooks anew, init says what belongs into husky's own file", async () => {
  await using at = setUp();
  at.repo.write(".husky/_/.gitignore", "*\n");
  at.repo.git("config", "core.hooksPath", ".husky/_");
  const result = await at.init();
  expect(result.code).toBe(0);
  expect(result.stdout).toContain(`are reviewed.

Worth knowing:
  - The git hooks are written by husky, which may take ours away; what stands in its own file stays.
    In .husky/post-commit:
      roborev post-commit >/dev/null 2>&1 || :`);
});

test("a daemon that refuses leaves the set-up incomplete, said with how to go on, exit 1", async () => {
  await using at = setUp({
    "POST /api/repos/register": () => reply(500, { error: "the database is corrupt" }),
  });
  const result = await at.init();
  expect(result.code).toBe(1);
  expect(result.stdout).not.toContain("Ready");
  expect(result.stdout).toContain("The daemon does not know the repository: the database is corrupt.");
  expect(result.stdout).toContain("    Then: roborev init");
  expect(result.stderr).toBe("Warning: the database is corrupt\n");
  expect(existsSync(at.hook("post-commit"))).toBe(true);
});

test("--no-daemon registers with a daemon that runs, and starts none", async () => {
  await using at = setUp();
  expect((await at.init("--no-daemon")).stdout).toContain("Ready");
  await at.daemon.stop();
  const result = await at.init("--no-daemon");
  expect(result.code).toBe(0);
  expect(result.stderr).toContain("no daemon is listening");
  expect(result.stdout).toContain("Set up: the next commit starts the daemon.");
});

test("init --json is one document", async () => {
  await using at = setUp();
  const { stdout } = await at.init("--json");
  expect(JSON.parse(stdout)).toMatchObject({
    repo: at.repo.path,
    registered: true,
    config: { outcome: "created" },
    hooks: [{ hook: "post-commit", result: "installed" }, { hook: "post-rewrite" }],
  });
});

test("outside a repository init and uninit offer the repositories below", async () => {
  await using at = setUp();
  using dir = tempDir();
  mkdirSync(dir.join("shop/.git"), { recursive: true });
  expect((await at.cli(["init"], { cwd: dir.path })).stderr).toContain("Try: cd shop && roborev init");
  expect((await at.cli(["uninit"], { cwd: dir.path })).code).toBe(1);
});

test("C15 uninit after init leaves every hook byte for byte, a clean working tree, and the repository unregistered", async () => {
  await using at = setUp();
  const clean = () => at.repo.git("status", "--porcelain", "--ignored");
  const foreign = "#!/bin/sh\necho mine\n";
  writeFileSync(at.hook("post-commit"), foreign, { mode: 0o755 });
  await at.init();
  expect(readFileSync(at.hook("post-commit"), "utf8")).not.toBe(foreign);
  expect(clean()).toBe("");
  const result = await at.cli(["uninit"]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toContain("The repository is forgotten");
  expect(readFileSync(at.hook("post-commit"), "utf8")).toBe(foreign);
  expect(existsSync(at.hook("post-rewrite"))).toBe(false);
  expect(clean()).toBe("");
  expect(existsSync(at.config)).toBe(true);
  expect(at.daemon.of("POST /api/repos/unregister")[0]?.body).toEqual({ repo_path: at.repo.path });
});

test("uninit of a repository that was never set up says so, exit 0", async () => {
  await using at = setUp({ "POST /api/repos/unregister": () => ({ outcome: "unknown" }) });
  expect(await at.cli(["uninit"])).toEqual({
    code: 0,
    stdout: "This repository was not set up, nothing was changed.\n",
    stderr: "",
  });
});

test("uninit --purge asks, takes no for an answer, and never waits where nobody can answer", async () => {
  await using at = setUp();
  expect(await at.cli(["uninit", "--purge"])).toMatchObject({ code: 2, stdout: "" });
  expect(await at.cli(["uninit", "--purge"], { confirm: false })).toMatchObject({
    code: 0,
    stderr: "Nothing was changed.\n",
  });
  expect(at.daemon.of("POST /api/repos/unregister")).toEqual([]);
  await at.cli(["uninit", "--purge"], { confirm: true });
  await at.cli(["uninit", "--purge", "--yes"]);
  expect(at.daemon.of("POST /api/repos/unregister").map((call) => call.body)).toEqual(
    Array(2).fill({ repo_path: at.repo.path, purge: true }),
  );
});

test("uninit that cannot reach the daemon removes the hooks and says what is left", async () => {
  await using at = setUp({
    ...registering,
    "POST /api/repos/unregister": () => reply(503, { error: "busy" }),
  });
  await at.init();
  const result = await at.cli(["uninit"]);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toContain("the daemon still knows the repository: busy. Run roborev uninit again.");
  expect(existsSync(at.hook("post-commit"))).toBe(false);
});
