import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { findCheckout } from "../../../src/git/checkout.ts";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import { git, type TestRepo, testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";
import { place } from "../place.ts";

const hookOf = (repo: TestRepo) => `${repo.path}/.git/hooks/post-commit`;
const read = (path: string) => readFileSync(path, "utf8");

/** Hooks as an earlier release wrote them, running `binary`. */
async function outdated(repo: { path: string }, binary: string): Promise<void> {
  const checkout = await findCheckout(repo.path);
  if (checkout === undefined) throw new Error("no checkout");
  for (const { path } of await installGitHooks(checkout, { binary }))
    writeFileSync(path, read(path).replace(/hook v\d+/, "hook v4"));
}

/** A daemon that knows some repositories, and a program to put into hooks. */
function known(...roots: { path: string; active?: boolean }[]) {
  const repos = roots.map(({ path, active = true }, id) => ({
    id,
    root_path: path,
    name: "x",
    active,
    created_at: "",
  }));
  return place({ "GET /api/repos": () => ({ repos }) });
}

test("git hooks of known repositories are renewed and go on running the program that was chosen for them", async () => {
  using dir = tempDir({ roborev: "#!/bin/sh\n" });
  chmodSync(dir.join("roborev"), 0o755);
  using old = testRepo();
  using same = testRepo();
  using none = testRepo();
  using inactive = testRepo();
  await outdated(old, dir.join("roborev"));
  await outdated(inactive, dir.join("roborev"));
  await installGitHooks((await findCheckout(same.path)) as never, { binary: dir.join("roborev") });
  const before = read(hookOf(same));
  await using s = known(old, same, none, { path: dir.join("gone") }, { path: inactive.path, active: false });
  const { code, stdout, stderr } = await s.cli(["refresh"], { env: { HOME: dir.path } });
  expect([code, stdout, stderr]).toEqual([
    0,
    "Git hooks  1 refreshed, 1 up to date\nSkills     none are installed\n",
    "",
  ]);
  expect(read(hookOf(old))).not.toContain("hook v4");
  expect(read(hookOf(old))).toContain(`ROBOREV="${dir.join("roborev")}"`);
  expect([read(hookOf(same)), existsSync(hookOf(none))]).toEqual([before, false]);
  expect(read(hookOf(inactive))).toContain("hook v4");
});

test("hooks of a bare repository, which its working trees run, are renewed; without one there is nothing to run", async () => {
  using dir = tempDir({ roborev: "#!/bin/sh\n" });
  chmodSync(dir.join("roborev"), 0o755);
  using source = testRepo();
  source.commit("one");
  for (const name of ["bare.git", "empty.git"]) git(dir.path, "clone", "-q", "--bare", source.path, name);
  git(dir.join("bare.git"), "worktree", "add", "-q", dir.join("tree"));
  await outdated({ path: dir.join("tree") }, dir.join("roborev"));
  const hook = dir.join("bare.git/hooks/post-commit");
  expect(read(hook)).toContain("hook v4");
  await using s = known({ path: dir.join("bare.git") }, { path: dir.join("empty.git") });
  const { stdout } = await s.cli(["refresh", "--json"], { env: { HOME: dir.path } });
  expect(JSON.parse(stdout).hooks).toEqual([
    { repo: dir.join("bare.git"), result: "refreshed" },
    { repo: dir.join("empty.git"), result: "none" },
  ]);
  expect(read(hook)).not.toContain("hook v4");
});

test("hooks outside of the git directory, which others may share, are left to init", async () => {
  using dir = tempDir({ roborev: "#!/bin/sh\n" });
  chmodSync(dir.join("roborev"), 0o755);
  using repo = testRepo();
  mkdirSync(dir.join("shared"));
  git(repo.path, "config", "core.hooksPath", dir.join("shared"));
  await outdated(repo, dir.join("roborev"));
  await using s = known(repo);
  const { stdout } = await s.cli(["refresh", "--json"], { env: { HOME: dir.path } });
  expect(JSON.parse(stdout).hooks).toEqual([{ repo: repo.path, result: "left" }]);
  expect(read(dir.join("shared/post-commit"))).toContain("hook v4");
});

test("one repository whose hooks cannot be written is named, and the others are renewed", async () => {
  using dir = tempDir({ roborev: "#!/bin/sh\n" });
  chmodSync(dir.join("roborev"), 0o755);
  using broken = testRepo();
  using good = testRepo();
  for (const repo of [broken, good]) await outdated(repo, dir.join("roborev"));
  writeFileSync(`${broken.path}/.git/roborev/git-hooks.json`, "{");
  await using s = known(broken, good);
  const { code, stdout, stderr } = await s.cli(["refresh"], { env: { HOME: dir.path } });
  expect(read(hookOf(good))).not.toContain("hook v4");
  expect(read(hookOf(broken))).toContain("hook v4");
  expect([code, stdout]).toEqual([1, "Git hooks  1 refreshed, 1 failed\nSkills     none are installed\n"]);
  expect(stderr).toStartWith(`Error: ${broken.path}: `);
});

test("installed skills are brought up to date, those that were edited stay, none come anew", async () => {
  using dir = tempDir({ ".claude/x": "", ".codex/x": "" });
  await using s = known();
  const env = { HOME: dir.path, CLAUDE_CONFIG_DIR: undefined, CODEX_HOME: undefined };
  await s.cli(["skills", "install", "--agent", "claude"], { env });
  const edited = dir.join(".claude/skills/roborev-fix/SKILL.md");
  writeFileSync(edited, `${read(edited)}\nMine.\n`);
  const { code, stdout } = await s.cli(["refresh"], { env });
  expect([code, stdout]).toEqual([
    0,
    "Git hooks  no repository has any\nSkills     7 up to date, 1 kept as edited\n",
  ]);
  expect(read(edited)).toEndWith("\nMine.\n");
  expect(existsSync(dir.join(".codex/skills"))).toBe(false);
});
