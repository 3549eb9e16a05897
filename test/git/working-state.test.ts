import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { findCheckout } from "../../src/git/checkout.ts";
import { ownLine } from "../../src/git/own-line.ts";
import { operationInProgress } from "../../src/git/state.ts";
import { statusPaths, workingState } from "../../src/git/working-state.ts";
import { testRepo } from "../support/repo.ts";

test("a working tree says where HEAD is, what tracked files differ, and which files git does not know", async () => {
  using repo = testRepo();
  const head = repo.commit("two", { "a b.ts": "1\n", "old.ts": "same\ncontent\n", ".gitignore": "dist\n" });
  const at = { worktreeRoot: repo.path };
  expect(await workingState(at)).toEqual({ head, branch: "main", modified: [], untracked: new Map() });
  repo.write("a b.ts", "2\n");
  repo.git("mv", "old.ts", "new name.ts");
  repo.write("deep/er/x.ts", "1");
  repo.write("dist", "ignored");
  const state = await workingState(at);
  expect(state.modified.toSorted()).toEqual(["a b.ts", "new name.ts"]);
  expect([...state.untracked.keys()]).toEqual(["deep/er/x.ts"]);
  const stamp = state.untracked.get("deep/er/x.ts");
  writeFileSync(`${repo.path}/deep/er/x.ts`, "other");
  expect((await workingState(at)).untracked.get("deep/er/x.ts")).not.toBe(stamp);
  repo.git("checkout", "-q", "-f", "--detach");
  expect((await workingState(at)).branch).toBe("");
});

test("a rename in status is one path, and what follows it is the next entry", () => {
  expect(
    statusPaths([
      "2 R. N... 100644 100644 100644 1 1 R100 new name",
      "? old name",
      "u UU N... 1 2 3 4 5 6 7 conflicted",
      "? untracked",
    ]),
  ).toEqual({ modified: ["new name", "conflicted"], untracked: ["untracked"] });
});

test("the state of a working tree is read without running a filter that the repository configures", async () => {
  using repo = testRepo();
  repo.commit("attributes", { ".gitattributes": "* filter=evil\n", "a.ts": "1\n" });
  repo.git("config", "filter.evil.clean", `touch ${repo.path}/ran; cat`);
  repo.write("a.ts", "2\n");
  expect((await workingState({ worktreeRoot: repo.path })).modified).toEqual(["a.ts"]);
  expect(existsSync(`${repo.path}/ran`)).toBe(false);
});

test("git's own operations in progress are named, in the working tree that they are in", async () => {
  using repo = testRepo();
  repo.commit("base", { a: "1\n" });
  repo.git("checkout", "-q", "-b", "side");
  repo.commit("side", { a: "2\n" });
  repo.git("checkout", "-q", "main");
  repo.commit("main", { a: "3\n" });
  const checkout = await findCheckout(repo.path);
  const now = () => operationInProgress(checkout as NonNullable<typeof checkout>);
  const conflicting = (...args: string[]) => expect(() => repo.git(...args)).toThrow();
  expect(now()).toBeUndefined();
  conflicting("merge", "side");
  expect(now()).toBe("merge");
  repo.git("merge", "--abort");
  conflicting("cherry-pick", "side");
  expect(now()).toBe("cherry-pick");
  repo.git("cherry-pick", "--abort");
  conflicting("rebase", "side");
  expect(now()).toBe("rebase");
  repo.git("rebase", "--abort");
  repo.git("bisect", "start");
  expect(now()).toBe("bisect");
  repo.git("bisect", "reset");
  expect(now()).toBeUndefined();
});

test("the commits of a detached HEAD go back to the first that a branch has", async () => {
  using repo = testRepo();
  const base = repo.commit("base");
  repo.commit("later");
  repo.git("checkout", "-q", "--detach", base);
  expect(await ownLine(repo.path, base)).toEqual(new Set([base]));
  const one = repo.commit("one");
  const two = repo.commit("two");
  expect(await ownLine(repo.path, two)).toEqual(new Set([two, one, base]));
});
