import { describe, expect, spyOn, test } from "bun:test";
import { OwnReviews } from "../../../src/daemon/agent-hook/own-reviews.ts";
import { ReviewsInReach } from "../../../src/daemon/agent-hook/reviews-in-reach.ts";
import { resolveCheckout } from "../../../src/git/checkout.ts";
import { storeFixture } from "../../store/store-fixture.ts";
import { git, testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";

/** A repository on main, and failed reviews with the label of the branch that was checked out at their commit. */
async function scene() {
  const repo = testRepo();
  const f = await storeFixture();
  const inReach = new ReviewsInReach(async (work) => work(f.store));
  // Believes every time stamp at once, so that all is answered from memory that can be.
  const own = new OwnReviews(() => Date.now() + 3_600_000);
  return {
    repo,
    f,
    /** A commit whose review failed, as the job's id. */
    fail(message = "c", branch = repo.git("branch", "--show-current"), gitRef = repo.commit(message)) {
      return f.reviewed({ gitRef, branch });
    },
    async told(directory = repo.path) {
      const checkout = (await resolveCheckout(directory))!;
      return own.of(await inReach.of(f.repoId, checkout, checkout.head!), checkout);
    },
    [Symbol.dispose]() {
      f[Symbol.dispose]();
      repo[Symbol.dispose]();
    },
  };
}

/** How many processes something starts. */
async function processes(work: () => Promise<unknown>): Promise<number> {
  const spawn = spyOn(Bun, "spawn");
  try {
    await work();
    return spawn.mock.calls.length;
  } finally {
    spawn.mockRestore();
  }
}

describe("a review whose branch would never tell it is told where its commit went", () => {
  test("on the branch that was renamed, also when packed", async () => {
    using s = await scene();
    s.repo.git("checkout", "-q", "-b", "old");
    const review = s.fail();
    expect(await s.told()).toEqual([review]);
    s.repo.git("branch", "-m", "old", "new");
    expect(await s.told()).toEqual([review]);
    s.repo.git("pack-refs", "--all");
    expect(await s.told()).toEqual([review]);
    s.repo.git("checkout", "-q", "main");
    expect(await s.told()).toEqual([]);
  });

  test("on main once a feature was merged and deleted, and not on the features that start there", async () => {
    using s = await scene();
    s.repo.git("checkout", "-q", "-b", "feat");
    const review = s.fail();
    s.repo.git("checkout", "-q", "main");
    s.repo.git("merge", "-q", "--ff-only", "feat");
    expect(await s.told()).toEqual([]);
    s.repo.git("branch", "-d", "feat");
    expect(await s.told()).toEqual([review]);
    s.repo.git("checkout", "-q", "-b", "next");
    s.repo.commit("next");
    expect(await s.told()).toEqual([]);
  });

  test("on main after a merge commit too", async () => {
    using s = await scene();
    s.repo.git("checkout", "-q", "-b", "feat");
    const reviews = [s.fail("one"), s.fail("two")];
    s.repo.git("checkout", "-q", "main");
    const own = s.fail("own");
    s.repo.git("merge", "-q", "--no-ff", "-m", "merge", "feat");
    s.repo.git("branch", "-D", "-q", "feat");
    expect(await s.told()).toEqual([...reviews, own]);
  });

  test("on the branch that a commit was moved to", async () => {
    using s = await scene();
    const kept = s.fail("kept");
    const moved = s.fail("moved");
    s.repo.git("checkout", "-q", "-b", "feat2");
    expect(await s.told()).toEqual([]);
    s.repo.git("branch", "-f", "main", "HEAD~1");
    expect(await s.told()).toEqual([moved]);
    s.repo.git("checkout", "-q", "main");
    expect(await s.told()).toEqual([kept, moved]);
  });

  test("whatever is checked out in other worktrees, where HEAD is detached all that it contains", async () => {
    using s = await scene();
    using dir = tempDir();
    const [tree, detached] = [dir.join("tree"), dir.join("detached")];
    s.repo.git("worktree", "add", "-q", "-b", "side", tree);
    git(tree, "commit", "-q", "--allow-empty", "-m", "side");
    const review = s.fail("", "side", git(tree, "rev-parse", "HEAD"));
    s.repo.git("checkout", "-q", "-b", "user", "side");
    expect([await s.told(), await s.told(tree)]).toEqual([[], [review]]);
    git(tree, "branch", "-m", "side", "renamed");
    s.repo.git("worktree", "add", "-q", "--detach", detached, "renamed");
    expect([await s.told(), await s.told(tree), await s.told(detached)]).toEqual([
      [review],
      [review],
      [review],
    ]);
  });
});

describe("a review whose branch still has its commit is told nowhere else", () => {
  test("after a rename to a name that exists again", async () => {
    using s = await scene();
    s.repo.git("checkout", "-q", "-b", "old");
    const review = s.fail();
    s.repo.git("branch", "-m", "old", "new");
    expect(await s.told()).toEqual([review]);
    s.repo.git("branch", "old", "new");
    expect(await s.told()).toEqual([]);
    s.repo.git("branch", "-f", "old", "main");
    expect(await s.told()).toEqual([review]);
    s.repo.git("branch", "-D", "-q", "old");
    s.repo.git("branch", "old/er", "new");
    expect(await s.told()).toEqual([review]);
  });

  test("a branch that was deleted and made again has it only where it holds the commit", async () => {
    using s = await scene();
    s.repo.git("checkout", "-q", "-b", "feat");
    const review = s.fail();
    s.repo.git("checkout", "-q", "-b", "other");
    s.repo.git("branch", "-D", "-q", "feat");
    expect(await s.told()).toEqual([review]);
    s.repo.git("branch", "feat", "other");
    s.repo.git("pack-refs", "--all");
    expect(await s.told()).toEqual([]);
    s.repo.git("branch", "-D", "-q", "feat");
    s.repo.git("branch", "feat", "main");
    expect(await s.told()).toEqual([review]);
  });

  test("a working tree's review, and one of a commit that HEAD has not, stay with their branch", async () => {
    using s = await scene();
    s.fail("", "gone", "dirty");
    s.fail("", "gone", "f".repeat(40));
    expect(await s.told()).toEqual([]);
  });

  test("a label that is no name of a branch is of none", async () => {
    using s = await scene();
    const sha = s.repo.commit("c");
    s.repo.git("tag", "v1", sha);
    const hostile = ["../tags/v1", "a b", "x".repeat(5000), "main/below", "--all", "*", "@{-1}"];
    const reviews = hostile.map((label) => s.fail("", label, sha));
    expect(await s.told()).toEqual(reviews);
  });

  test("a branch that is another name of a branch follows it", async () => {
    using s = await scene();
    s.repo.git("checkout", "-q", "-b", "real");
    const review = s.fail("c", "alias");
    s.repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/real");
    s.repo.git("checkout", "-q", "-b", "here");
    expect(await s.told()).toEqual([]);
    s.repo.git("branch", "-f", "real", "main");
    expect(await s.told()).toEqual([review]);
  });
});

describe("47 what reviews of other branches cost", () => {
  test("is nothing while neither they nor the branches change", async () => {
    using s = await scene();
    for (const branch of ["one", "two"]) {
      s.repo.git("checkout", "-q", "-b", branch);
      s.fail(branch);
    }
    s.repo.git("branch", "-D", "-q", "one");
    s.repo.git("checkout", "-q", "-b", "here");
    const told = await s.told();
    expect(told).toHaveLength(1);
    expect(await processes(() => s.told())).toBe(0);
    s.f.reviewed({ gitRef: "f".repeat(40), branch: "elsewhere" });
    await s.told();
    s.repo.git("branch", "unconcerned");
    expect(await processes(() => s.told())).toBe(0);
    s.repo.git("branch", "-f", "two", "main");
    expect(await processes(async () => expect(await s.told()).toHaveLength(2))).toBeGreaterThan(0);
  });

  test("does not grow with them or their branches", async () => {
    using s = await scene();
    const spawned: number[] = [];
    for (const count of [4, 25]) {
      for (let n = 0; n < count; n++) {
        s.repo.git("checkout", "-q", "-B", `b${n}`);
        s.fail(`c${n}`);
        s.repo.commit("later");
      }
      s.repo.git("branch", "-D", "-q", "b0");
      s.repo.git("checkout", "-q", "-B", `here${count}`);
      spawned.push(await processes(async () => expect((await s.told()).length).toBeGreaterThan(0)));
    }
    expect(spawned[0]).toBeGreaterThan(0);
    expect(spawned[1]).toBe(spawned[0] as number);
  });
});
