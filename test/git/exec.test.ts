import { expect, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitInfo, resolveCommit } from "../../src/git/commit.ts";
import { commitDiff, dirtyDiff } from "../../src/git/diff.ts";
import { gitEnvironment, gitText, runGit, tryGitText } from "../../src/git/exec.ts";
import { firstParentCommits, isAncestor } from "../../src/git/lineage.ts";
import { patchId } from "../../src/git/patch-id.ts";
import { addReviewWorktree, removeReviewWorktree, treeState } from "../../src/git/worktree.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

test("a failure names the sub-command, the place and git's reason on one line", async () => {
  using repo = testRepo();
  const failure = gitText(["rev-parse", "--verify", "nothing"], { cwd: repo.path });
  await expect(failure).rejects.toMatchObject({
    code: "E_GIT",
    message: `git rev-parse in ${repo.path}: fatal: Needed a single revision`,
  });
  expect(await tryGitText(["rev-parse", "--verify", "-q", "nothing"], { cwd: repo.path })).toBeUndefined();
  await expect(gitText(["status"], { cwd: join(repo.path, "gone") })).rejects.toMatchObject({
    code: "E_GIT",
  });
});

test("output beyond the limit is cut, and git is stopped", async () => {
  using repo = testRepo();
  repo.commit("big", { big: "x".repeat(500_000) });
  const result = await runGit(["show", "HEAD:big"], { cwd: repo.path, maxBytes: 1000 });
  expect([result.stdout.length, result.truncated]).toEqual([1000, true]);
});

test("the environment is an allow-list: no git variable of a hook, no secret, the user's own configuration", () => {
  const env = gitEnvironment({
    PATH: "/bin",
    HOME: "/h",
    GIT_CONFIG_GLOBAL: "/g",
    GIT_DIR: "/evil",
    GIT_SSH_COMMAND: "evil",
    GIT_CONFIG_COUNT: "1",
    ANTHROPIC_API_KEY: "secret",
    LC_ALL: "de_DE",
  });
  expect(env).toMatchObject({ PATH: "/bin", HOME: "/h", GIT_CONFIG_GLOBAL: "/g", LC_ALL: "C" });
  for (const name of ["GIT_DIR", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "ANTHROPIC_API_KEY"])
    expect(env).not.toHaveProperty(name);
});

test("T11 a booby-trapped repository runs nothing of its own, whatever we ask of it", async () => {
  using repo = testRepo();
  using side = tempDir();
  const canary = side.join("canary");
  const trap = side.join("trap");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`);
  chmodSync(trap, 0o755);
  repo.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
  const sha = repo.commit("second", { "a.txt": "one\n" });
  for (const key of ["core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass"])
    repo.git("config", key, trap);
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"])
    repo.git("config", key, trap);
  for (const key of [
    "diff.evil.command",
    "diff.external",
    "gpg.program",
    "merge.evil.driver",
    "alias.rev-list",
  ])
    repo.git("config", key, key.startsWith("alias") ? `!${trap}` : trap);
  repo.git("config", "filter.evil.required", "true");
  repo.git("config", "log.showSignature", "true");
  repo.git("config", "core.hooksPath", side.path);
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction"]) {
    writeFileSync(side.join(hook), `#!/bin/sh\necho hook >> '${canary}'\n`);
    chmodSync(side.join(hook), 0o755);
  }
  writeFileSync(join(repo.path, "a.txt"), "two\n");
  repo.write("untracked.txt", "three\n");
  const cwd = repo.path;

  expect((await dirtyDiff({ worktreeRoot: cwd, head: sha })).text).toContain("+two");
  expect((await commitDiff(cwd, sha)).text).toContain("+one");
  await patchId(cwd, sha);
  await commitInfo(cwd, sha);
  await firstParentCommits(cwd, { to: sha });
  await isAncestor(cwd, sha, sha);
  await addReviewWorktree({ mainRoot: cwd, path: side.join("tree"), sha });
  await treeState(side.join("tree"));
  await treeState(cwd);
  await removeReviewWorktree({ mainRoot: cwd, path: side.join("tree") });
  expect(existsSync(canary)).toBe(false);
  Bun.spawnSync(["git", "status"], { cwd }); // the traps do work
  expect(existsSync(canary)).toBe(true);
});

test("T11 a driver name that cannot be switched off is refused, not run", async () => {
  using repo = testRepo();
  repo.git("config", "filter.a=b.clean", "touch canary");
  await expect(dirtyDiff({ worktreeRoot: repo.path })).rejects.toMatchObject({ code: "E_GIT_CONFIG" });
});

test("T11 a partial clone fetches nothing, by whatever program it names", async () => {
  using repo = testRepo();
  using side = tempDir();
  const blob = repo.git("rev-parse", "HEAD:README.md");
  repo.write("README.md", "changed, so that git cannot use it in place of the object\n");
  const sha = repo.git("rev-parse", "HEAD");
  repo.git("config", "remote.origin.url", repo.path);
  repo.git("config", "remote.origin.promisor", "true");
  repo.git("config", "remote.origin.uploadpack", `touch ${side.join("canary")};`);
  repo.git("config", "extensions.partialClone", "origin");
  repo.git("config", "core.repositoryFormatVersion", "1");
  const object = join(repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o600);
  await Bun.file(object).delete();
  await expect(commitDiff(repo.path, sha)).rejects.toMatchObject({ code: "E_GIT" });
  expect(existsSync(side.join("canary"))).toBe(false);
});

test("T8 a hostile ref never becomes an option, a range or a second argument", async () => {
  using repo = testRepo();
  for (const ref of ["--output=canary", "-n1", "^HEAD", "HEAD..HEAD", "HEAD\n--all", "", "$(touch canary)"])
    expect(await resolveCommit(repo.path, ref)).toBeUndefined();
  for (const ref of ["--output=canary", "--all"]) {
    await expect(commitInfo(repo.path, ref)).rejects.toMatchObject({ code: "E_BAD_REF" });
    await expect(firstParentCommits(repo.path, { to: ref })).rejects.toMatchObject({ code: "E_BAD_REF" });
    expect(await isAncestor(repo.path, ref, "HEAD")).toBe(false);
  }
  expect(existsSync(join(repo.path, "canary"))).toBe(false);
});
