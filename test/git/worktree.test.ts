import { expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  addReviewWorktree,
  pruneReviewWorktrees,
  removeReviewWorktree,
  treeState,
} from "../../src/git/worktree.ts";
import { git, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

test("a review worktree holds the commit, detached, and leaves no trace when removed", async () => {
  using repo = testRepo();
  using side = tempDir();
  const sha = repo.git("rev-parse", "HEAD");
  repo.commit("second", { "README.md": "changed\n" });
  const before = repo.git("worktree", "list", "--porcelain");
  const target = { mainRoot: repo.path, path: side.join("deep/er/tree"), sha };
  await addReviewWorktree(target);
  expect(await Bun.file(join(target.path, "README.md")).text()).toBe("# test\n");
  expect(git(target.path, "rev-parse", "HEAD", "--abbrev-ref", "HEAD")).toBe(`${sha}\nHEAD`);
  writeFileSync(join(target.path, "left over"), "x");
  await removeReviewWorktree(target);
  expect(existsSync(target.path)).toBe(false);
  expect(repo.git("worktree", "list", "--porcelain")).toBe(before);
  await removeReviewWorktree(target); // twice is fine
});

test("a review worktree works from a bare repository", async () => {
  using repo = testRepo();
  using side = tempDir();
  const bare = side.join("bare.git");
  git(repo.path, "clone", "-q", "--bare", repo.path, bare);
  const target = { mainRoot: bare, path: side.join("tree"), sha: repo.git("rev-parse", "HEAD") };
  await addReviewWorktree(target);
  expect(existsSync(join(target.path, "README.md"))).toBe(true);
  await removeReviewWorktree(target);
  expect(git(bare, "worktree", "list")).not.toContain("tree");
});

test("a failed addition leaves nothing, and never touches what was there", async () => {
  using repo = testRepo();
  using side = tempDir({ "mine/file": "x" });
  const missing = { mainRoot: repo.path, path: side.join("tree"), sha: "1".repeat(40) };
  await expect(addReviewWorktree(missing)).rejects.toMatchObject({ code: "E_GIT" });
  expect(existsSync(missing.path)).toBe(false);
  const taken = { mainRoot: repo.path, path: side.join("mine"), sha: repo.git("rev-parse", "HEAD") };
  await expect(addReviewWorktree(taken)).rejects.toMatchObject({ code: "E_WORKTREE" });
  expect(existsSync(side.join("mine/file"))).toBe(true);
});

test("pruning removes our leftovers, whole or half gone, and no other worktree", async () => {
  using repo = testRepo();
  using side = tempDir();
  const sha = repo.git("rev-parse", "HEAD");
  for (const name of ["ours/a", "ours/b"])
    await addReviewWorktree({ mainRoot: repo.path, path: side.join(name), sha });
  repo.git("worktree", "add", "-q", "--detach", side.join("theirs"));
  repo.git("worktree", "add", "-q", "--detach", side.join("unplugged"));
  rmSync(side.join("unplugged"), { recursive: true });
  rmSync(side.join("ours/b"), { recursive: true });
  const removed = await pruneReviewWorktrees(repo.path, side.join("ours"));
  expect(removed.toSorted()).toEqual([side.join("ours/a"), side.join("ours/b")]);
  expect(existsSync(side.join("ours/a"))).toBe(false);
  const left = repo.git("worktree", "list");
  expect([left.includes("/theirs"), left.includes("/unplugged"), left.includes("/ours")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("the tree state changes with everything that a reviewer could change, and with nothing else", async () => {
  using repo = testRepo();
  using side = tempDir();
  const sha = repo.commit("ignores", { ".gitignore": "out/\n*.log\n", "a.ts": "1\n" });
  const path = side.join("tree");
  await addReviewWorktree({ mainRoot: repo.path, path, sha });
  const clean = await treeState(path);
  expect(await treeState(path)).toBe(clean);
  writeFileSync(join(path, "a.ts"), "1\n"); // same bytes
  expect(await treeState(path)).toBe(clean);
  const seen = new Set([clean]);
  const changed = async () => {
    const state = await treeState(path);
    expect(seen.has(state)).toBe(false);
    seen.add(state);
  };
  writeFileSync(join(path, "a.ts"), "2\n");
  await changed();
  writeFileSync(join(path, "new.ts"), "1\n");
  await changed();
  writeFileSync(join(path, "new.ts"), "12\n");
  await changed();
  writeFileSync(join(path, "x.log"), "1\n");
  await changed();
  mkdirSync(join(path, "out"));
  writeFileSync(join(path, "out/x"), "1\n");
  await changed();
  git(path, "add", "a.ts");
  await changed();
  git(path, "commit", "-q", "-m", "sneaky");
  await changed();
});
