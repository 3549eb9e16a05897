import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  addReviewWorktree,
  pruneReviewWorktrees,
  removeReviewWorktree,
  treeState,
} from "../../src/git/worktree.ts";
import { git, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

// `git worktree add` first writes a HEAD of zeros: for some milliseconds `git log --all`, `git fetch` and `git gc` in the
// user's own repository end with "fatal: bad object worktrees/…/HEAD". A review begins right after each commit.
test("git of the user never fails while review worktrees come and go", async () => {
  using repo = testRepo();
  using side = tempDir();
  const sha = repo.commit("second", { "a.txt": "1\n" });
  let ended = false;
  const failures: string[] = [];
  const user = async () => {
    while (!ended) {
      const child = Bun.spawn(["git", "rev-list", "--all", "--reflog"], {
        cwd: repo.path,
        env: process.env,
        stdout: "ignore",
        stderr: "pipe",
      });
      const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      if (code !== 0 || stderr !== "") failures.push(stderr);
    }
  };
  const users = [user(), user(), user()];
  for (let n = 0; n < 25; n++) {
    const target = { mainRoot: repo.path, path: side.join(`tree-${n}`), sha };
    await addReviewWorktree(target);
    await removeReviewWorktree(target);
  }
  ended = true;
  await Promise.all(users);
  expect(failures).toEqual([]);
}, 120_000);

test("what the user's checkout leaves out, the reviewer's leaves out as well", async () => {
  using repo = testRepo();
  using side = tempDir();
  const sha = repo.commit("two", { "in/a.txt": "1\n", "out/b.txt": "2\n" });
  repo.git("sparse-checkout", "set", "in");
  const target = { mainRoot: repo.path, path: side.join("tree"), sha };
  await addReviewWorktree(target);
  expect(readdirSync(target.path).sort()).toEqual([".git", "README.md", "in"]);
  expect(await treeState(target.path)).toBe(await treeState(target.path));
  expect(git(target.path, "status", "--porcelain")).toBe("");
  await removeReviewWorktree(target);
  expect(readdirSync(join(repo.path, ".git")).filter((name) => name.startsWith("roborev"))).toEqual([]);
  expect(repo.git("worktree", "prune", "--verbose")).toBe("");
});

test("a record that was half made when its process was killed is removed at the next start", async () => {
  using repo = testRepo();
  using side = tempDir();
  mkdirSync(join(repo.path, ".git/roborev-worktree-job-1/info"), { recursive: true });
  await pruneReviewWorktrees(repo.path, side.path);
  expect(existsSync(join(repo.path, ".git/roborev-worktree-job-1"))).toBe(false);
});
