import { describe, expect, test } from "bun:test";
import { findCheckout } from "../../src/git/checkout.ts";
import { emptyTree } from "../../src/git/commit.ts";
import { branchRange, inclusiveRange, sinceRange } from "../../src/git/range.ts";
import { git, type TestRepo, testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

const checkoutOf = async (repo: TestRepo) => {
  const checkout = await findCheckout(repo.path);
  if (!checkout) throw new Error("no checkout");
  return checkout;
};

/** main with one commit, feature with two more. */
const withFeature = () => {
  const repo = testRepo();
  const fork = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "-b", "feature");
  const commits = [repo.commit("one", { a: "1" }), repo.commit("two", { a: "2" })].reverse();
  return { repo, fork, commits };
};

describe("an inclusive range", () => {
  test("starts before its first commit; P08 a root commit starts at the empty tree", async () => {
    const { repo: owned, fork, commits } = withFeature();
    using repo = owned;
    expect(await inclusiveRange(repo.path, "HEAD~1", "HEAD")).toEqual({ base: fork, head: commits[0] ?? "" });
    expect(await inclusiveRange(repo.path, fork, "feature")).toEqual({
      base: await emptyTree(repo.path),
      head: commits[0] ?? "",
    });
  });

  test("refuses ends in the wrong order and ends that do not exist", async () => {
    using repo = testRepo();
    repo.commit("second");
    await expect(inclusiveRange(repo.path, "HEAD", "HEAD~1")).rejects.toMatchObject({ code: "E_RANGE" });
    await expect(inclusiveRange(repo.path, "nope", "HEAD")).rejects.toMatchObject({ code: "E_BAD_REF" });
  });
});

test("since leaves out the commit it names and wants something after it", async () => {
  const { repo: owned, fork, commits } = withFeature();
  using repo = owned;
  expect(await sinceRange(repo.path, "main")).toEqual({ base: fork, head: commits[0] ?? "", commits });
  await expect(sinceRange(repo.path, "HEAD")).rejects.toMatchObject({ code: "E_NO_COMMITS" });
  repo.git("checkout", "-q", "main");
  await expect(sinceRange(repo.path, "feature")).rejects.toMatchObject({ code: "E_RANGE" });
});

describe("a branch's range", () => {
  test("is what came since it left the default branch", async () => {
    const { repo: owned, fork, commits } = withFeature();
    using repo = owned;
    const expected = { base: fork, head: commits[0] ?? "", baseName: "main", branch: "feature", commits };
    expect(await branchRange(await checkoutOf(repo))).toEqual(expected);
    repo.git("checkout", "-q", "main");
    repo.commit("on main");
    expect(await branchRange(await checkoutOf(repo), { branch: "feature" })).toEqual(expected);
    repo.git("checkout", "-q", "--detach", "feature");
    expect(await branchRange(await checkoutOf(repo))).toEqual({ ...expected, branch: "" });
  });

  test("prefers --base, then branch.<name>.base, then an upstream that is the default branch", async () => {
    const { repo: owned, fork } = withFeature();
    using repo = owned;
    using side = tempDir();
    git(repo.path, "clone", "-q", "--bare", repo.path, side.join("origin.git"));
    repo.git("remote", "add", "origin", side.join("origin.git"));
    repo.git("fetch", "-q");
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    expect(await branchRange(await checkoutOf(repo))).toMatchObject({ baseName: "origin/main", base: fork });
    repo.git("branch", "--set-upstream-to=origin/feature");
    expect((await branchRange(await checkoutOf(repo))).baseName).toBe("origin/main");
    repo.git("branch", "stack", "HEAD~1");
    repo.git("config", "branch.feature.base", "stack");
    expect(await branchRange(await checkoutOf(repo))).toMatchObject({ baseName: "stack" });
    expect((await branchRange(await checkoutOf(repo), { base: "main" })).commits).toHaveLength(2);
  });

  test("takes the remote-tracking branch where the configured local base is behind it", async () => {
    const { repo: owned, commits } = withFeature();
    using repo = owned;
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1");
    repo.git("config", "branch.feature.base", "main");
    const range = await branchRange(await checkoutOf(repo));
    expect(range).toMatchObject({ baseName: "origin/main", commits: [commits[0]] });
  });

  test("says what is wrong: base branch, nothing new, no branch, no base, nothing shared, a gone upstream", async () => {
    const { repo: owned } = withFeature();
    using repo = owned;
    const code = async (options = {}) =>
      branchRange(await checkoutOf(repo), options).then(
        () => "none",
        (error) => error.code,
      );
    expect(await code({ branch: "main" })).toBe("E_ON_BASE");
    expect(await code({ branch: "feature", base: "feature" })).toBe("E_ON_BASE");
    expect(await code({ branch: "--all" })).toBe("E_BAD_REF");
    expect(await code({ base: "nope" })).toBe("E_BAD_REF");
    expect(await code({ base: "HEAD" })).toBe("E_NO_COMMITS");
    repo.git("config", "branch.feature.base", "nope");
    expect(await code()).toBe("E_NO_BASE");
    repo.git("config", "branch.feature.remote", "origin");
    repo.git("config", "branch.feature.merge", "refs/heads/main");
    repo.git("config", "remote.origin.url", "/nowhere");
    repo.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    repo.git("config", "--unset", "branch.feature.base");
    expect(await code()).toBe("E_NO_BASE");
    repo.git("checkout", "-q", "--orphan", "island");
    expect(await code()).toBe("E_NO_COMMITS");
    repo.commit("alone", { b: "1" });
    expect(await code()).toBe("E_NO_MERGE_BASE");
    repo.git("branch", "-D", "-q", "main");
    expect(await code()).toBe("E_NO_BASE");
  });
});
