import { expect, test } from "bun:test";
import { refTips } from "../../src/git/ref-tips.ts";
import { testRepo } from "../support/repo.ts";

test("the refs that exist stand at their commits, however many are asked about", async () => {
  using repo = testRepo();
  const head = repo.git("rev-parse", "HEAD");
  repo.git("branch", "deep/er");
  const wanted = [
    "refs/heads/main",
    "refs/heads/deep",
    "refs/heads/deep/er",
    "refs/heads/*",
    "refs/heads/..",
  ];
  const many = Array.from({ length: 300 }, (_, n) => `refs/heads/none-${n}`);
  const there = new Map([
    ["refs/heads/deep/er", head],
    ["refs/heads/main", head],
  ]);
  expect(await refTips(repo.path, wanted)).toEqual(there);
  expect(await refTips(repo.path, [...wanted, ...many])).toEqual(there);
  expect(await refTips(repo.path, ["--all"])).toEqual(new Map());
});
