import { expect, test } from "bun:test";
import { parseWorktrees } from "../../../src/git/branch-worktrees.ts";
import type { Checkout } from "../../../src/git/checkout.ts";
import { planTarget } from "../../../src/review/background-fix/apply-target.ts";

const worktrees = parseWorktrees(
  "worktree /r\nHEAD aaaa\nbranch refs/heads/main\n\nworktree /r/x y\nHEAD bbbb\nbranch refs/heads/feature/one\n\nworktree /r/d\nHEAD cccc\ndetached\n\n",
);
const here = { worktreeRoot: "/r/d", mainRoot: "/r" } as Checkout;

test("git's list of working trees is read with their branches; a bare repository is none", () => {
  expect(worktrees).toEqual([
    { path: "/r", branch: "main" },
    { path: "/r/x y", branch: "feature/one" },
    { path: "/r/d", branch: "" },
  ]);
  expect(parseWorktrees("worktree /bare\nbare\n\nworktree /w\nHEAD a\ndetached")).toEqual([
    { path: "/w", branch: "" },
  ]);
});

test("a patch goes where its branch is checked out; without a branch to where one stands, or what was reviewed from", () => {
  const of = (job: object, from: Checkout = here) =>
    planTarget({ repo_path: "/r", ...job }, { worktrees, here: from });
  expect(of({ branch: "feature/one" })).toBe("/r/x y");
  expect(of({ branch: "main" })).toBe("/r");
  expect(of({ branch: "gone\x1b[2J" })).toMatchObject({
    ...{ code: "E_OTHER_BRANCH", message: 'no working tree of /r has branch "gone [2J" checked out' },
  });
  expect(of({})).toBe("/r/d");
  expect(of({}, { ...here, mainRoot: "/other" })).toBe("/r");
  expect(planTarget({ repo_path: "/r", worktree_path: "/r/w" }, { worktrees, here: undefined })).toBe("/r/w");
});
