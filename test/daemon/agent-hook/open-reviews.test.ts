import { describe, expect, test } from "bun:test";
import {
  type BranchTips,
  type CheckoutPosition,
  openReviewsOf as openReviewsInReach,
  type ReachabilityOracle,
  reviewsInReach,
} from "../../../src/daemon/agent-hook/open-reviews.ts";
import { notContained } from "../../../src/git/containment.ts";
import { findDefaultBranch } from "../../../src/git/lineage.ts";
import { unreachableFrom } from "../../../src/git/reachability.ts";
import type { OpenFailedReview } from "../../../src/store/store.ts";
import { testRepo } from "../../support/repo.ts";

const review = (jobId: number, gitRef: string, branch = ""): OpenFailedReview => ({
  jobId,
  gitRef,
  branch,
  jobType: gitRef === "dirty" ? "dirty" : gitRef.includes("..") ? "range" : "review",
  worktreePath: "",
});

const openReviewsOf = async (
  reviews: OpenFailedReview[],
  position: CheckoutPosition,
  git: ReachabilityOracle & { tips(): Promise<BranchTips> },
) => openReviewsInReach(await reviewsInReach(reviews, position, git), position, await git.tips(), git);

/** main: a - b; feature: a - c - d. */
function scene() {
  const repo = testRepo();
  const a = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "-b", "feature");
  const c = repo.commit("c");
  const d = repo.commit("d");
  repo.git("checkout", "-q", "main");
  const b = repo.commit("b");
  let calls = 0;
  const oracle: Parameters<typeof openReviewsOf>[2] = {
    unreachable(refs, tip) {
      calls++;
      return unreachableFrom(repo.path, refs, tip);
    },
    notContained(pairs) {
      calls++;
      return notContained(repo.path, pairs);
    },
    tips: async () => ({
      others: new Map([["feature", repo.git("rev-parse", "feature")]]),
      trunk: await findDefaultBranch(repo.path),
    }),
  };
  return { repo, a, b, c, d, oracle, calls: () => calls, [Symbol.dispose]: () => repo[Symbol.dispose]() };
}

describe("which reviews count for a checkout on a branch", () => {
  test("S11 all that carry its name, those of no commit, and branchless ones of its own line", async () => {
    using s = scene();
    const reviews = [
      review(1, s.d, "feature"),
      review(2, "dirty"),
      review(3, s.c),
      review(4, `${s.a}..${s.d}`),
      review(5, s.b),
    ];
    expect(await openReviewsOf(reviews, { head: s.d, branch: "feature" }, s.oracle)).toEqual([1, 2, 3, 4]);
  });

  test("46 a branchless commit of the trunk does not count on a feature branch, but on the trunk", async () => {
    using s = scene();
    expect(await openReviewsOf([review(1, s.a)], { head: s.d, branch: "feature" }, s.oracle)).toEqual([]);
    expect(await openReviewsOf([review(1, s.a)], { head: s.b, branch: "main" }, s.oracle)).toEqual([1]);
  });

  test("45 an unreachable or unknown branchless commit does not count", async () => {
    using s = scene();
    const reviews = [review(1, s.d), review(2, "f".repeat(40))];
    expect(await openReviewsOf(reviews, { head: s.b, branch: "main" }, s.oracle)).toEqual([]);
  });

  test("47 the number of git questions does not grow with the reviews", async () => {
    using s = scene();
    s.repo.git("branch", "other", s.d);
    const labels = ["", "gone", "feature"];
    const reviews = Array.from({ length: 25 }, (_, n) => review(n, n % 2 === 0 ? s.c : s.d, labels[n % 3]));
    expect(await openReviewsOf(reviews, { head: s.d, branch: "other" }, s.oracle)).toHaveLength(17);
    expect(s.calls()).toBe(3);
  });

  test("a git that fails counts none of the doubtful ones", async () => {
    const [head, tip, sha] = ["b".repeat(40), "c".repeat(40), "a".repeat(40)];
    const oracle = {
      unreachable: async () => undefined,
      notContained: async () => undefined,
      tips: async () => ({ others: new Map([["other", tip]]), trunk: undefined }),
    };
    const reviews = [
      review(1, sha),
      review(2, "x", "main"),
      review(3, head, "other"),
      review(4, sha, "gone"),
    ];
    expect(await openReviewsOf(reviews, { head, branch: "main" }, oracle)).toEqual([2]);
    const onTrunk = { ...oracle, tips: async () => ({ others: new Map(), trunk: { tip, branch: "trunk" } }) };
    expect(await openReviewsOf([review(5, head)], { head, branch: "main" }, onTrunk)).toEqual([]);
  });
});

describe("48 which reviews count for a detached HEAD", () => {
  test("what it contains, whatever branch they carry; never the working tree's", async () => {
    using s = scene();
    const reviews = [
      review(1, s.c, "feature"),
      review(2, `${s.a}..${s.c}`),
      review(3, s.d, "feature"),
      review(4, "dirty"),
      review(5, s.b, "main"),
      review(6, s.d),
    ];
    expect(await openReviewsOf(reviews, { head: s.c, branch: "" }, s.oracle)).toEqual([1, 2]);
    expect(await openReviewsOf(reviews, { head: s.d, branch: "" }, s.oracle)).toEqual([1, 2, 3, 6]);
  });
});
