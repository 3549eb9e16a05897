import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCheckout } from "../../src/git/checkout.ts";
import { commitInfo, previousCommits, resolveCommit } from "../../src/git/commit.ts";
import { findDefaultBranch, firstParentCommits, isAncestor } from "../../src/git/lineage.ts";
import { patchId } from "../../src/git/patch-id.ts";
import { unreachableFrom } from "../../src/git/reachability.ts";
import { isRebaseInProgress } from "../../src/git/state.ts";
import { testRepo } from "../support/repo.ts";

test("a commit is its own ancestor, its child is not, and an unknown one never is", async () => {
  using repo = testRepo();
  const first = repo.git("rev-parse", "HEAD");
  const second = repo.commit("second");
  expect(await isAncestor(repo.path, first, second)).toBe(true);
  expect(await isAncestor(repo.path, first, first)).toBe(true);
  expect(await isAncestor(repo.path, second, first)).toBe(false);
  expect(await isAncestor(repo.path, "1".repeat(40), first)).toBe(false);
});

const nameOf = async (cwd: string) => (await findDefaultBranch(cwd))?.name;

describe("the default branch", () => {
  test("is origin's HEAD if that branch exists, else the local one of that name, else main, else master", async () => {
    using repo = testRepo();
    repo.git("checkout", "-q", "-b", "work");
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
    expect(await nameOf(repo.path)).toBe("main");
    repo.git("branch", "trunk");
    expect(await nameOf(repo.path)).toBe("trunk");
    repo.git("update-ref", "refs/remotes/origin/trunk", "HEAD");
    expect(await nameOf(repo.path)).toBe("origin/trunk");
    repo.git("update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD");
    repo.git("branch", "-m", "main", "master");
    expect(await nameOf(repo.path)).toBe("master");
    repo.git("branch", "-D", "-q", "master");
    expect(await nameOf(repo.path)).toBeUndefined();
  });

  test("cannot be stood in for by a tag or a branch of the same name", async () => {
    using repo = testRepo();
    repo.git("checkout", "-q", "-b", "work");
    const own = repo.commit("own");
    repo.git("tag", "main", own);
    repo.git("update-ref", "refs/remotes/origin/main", "main~1");
    repo.git("branch", "origin/main", own);
    const isOutside = async () => {
      const { ref } = (await findDefaultBranch(repo.path))!;
      return unreachableFrom(repo.path, [own], ref);
    };
    expect(await isOutside()).toEqual(new Set([own]));
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    expect(await nameOf(repo.path)).toBe("origin/main");
    expect(await isOutside()).toEqual(new Set([own]));
  });
});

test("first-parent commits leave out what a merge brought in", async () => {
  using repo = testRepo();
  const first = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "-b", "side");
  repo.commit("side", { side: "1" });
  repo.git("checkout", "-q", "main");
  const pushed = repo.commit("pushed", { a: "1" });
  repo.git("merge", "-q", "--no-edit", "side");
  const merge = repo.git("rev-parse", "HEAD");
  expect(await firstParentCommits(repo.path, { to: merge })).toEqual([merge, pushed, first]);
  expect(await firstParentCommits(repo.path, { from: first, to: merge })).toEqual([merge, pushed]);
  expect(await firstParentCommits(repo.path, { to: merge, limit: 1 })).toEqual([merge]);
  expect(await previousCommits(repo.path, merge, 5)).toEqual([pushed, first]);
});

test("a commit's own words are read whole, whatever they hold", async () => {
  using repo = testRepo();
  const parent = repo.git("rev-parse", "HEAD");
  repo.git("config", "user.name", "Ü \x1e --format=x");
  const sha = repo.commit("sub\x1eject\n\nbody 1\n\n\tbody 2\n");
  const info = await commitInfo(repo.path, sha);
  expect(info).toMatchObject({ sha, author: "Ü \x1e --format=x", subject: "sub\x1eject", parents: [parent] });
  expect(info.body).toBe("body 1\n\n\tbody 2");
  expect(Number.isNaN(Date.parse(info.timestamp))).toBe(false);
  expect(await resolveCommit(repo.path, "HEAD~1")).toBe(parent);
  expect(await resolveCommit(repo.path, "HEAD:README.md")).toBeUndefined();
});

test("P03 P04 a patch id survives a new message and a new base, not a new content", async () => {
  using repo = testRepo();
  writeFileSync(join(repo.path, "bin"), new Uint8Array([0, 1]));
  const one = repo.commit("one", { a: "1\n" });
  repo.git("commit", "-q", "--amend", "-m", "reworded");
  const reworded = repo.git("rev-parse", "HEAD");
  expect(await patchId(repo.path, reworded)).toBe((await patchId(repo.path, one)) as string);
  repo.git("checkout", "-q", "-b", "moved", "HEAD~1");
  repo.commit("between", { z: "z\n" });
  repo.git("cherry-pick", one);
  expect(await patchId(repo.path, "HEAD")).toBe((await patchId(repo.path, one)) as string);
  writeFileSync(join(repo.path, "bin"), new Uint8Array([0, 2]));
  repo.git("commit", "-q", "-a", "--amend", "-m", "one");
  expect(await patchId(repo.path, "HEAD")).not.toBe(await patchId(repo.path, one));
  expect(await patchId(repo.path, repo.commit("empty"))).toBeUndefined();
});

test("P03 a rebase is in progress from its stop until its end", async () => {
  using repo = testRepo();
  repo.git("checkout", "-q", "-b", "side");
  repo.commit("side", { "README.md": "side\n" });
  repo.git("checkout", "-q", "main");
  repo.commit("main", { "README.md": "main\n" });
  const inProgress = async () => isRebaseInProgress((await findCheckout(repo.path)) ?? { gitDir: "" });
  expect(await inProgress()).toBe(false);
  expect(() => repo.git("rebase", "side")).toThrow();
  expect(await inProgress()).toBe(true);
  repo.git("rebase", "--abort");
  expect(await inProgress()).toBe(false);
});
