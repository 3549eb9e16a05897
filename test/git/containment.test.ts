import { expect, test } from "bun:test";
import { notContained, rememberNotContained } from "../../src/git/containment.ts";
import { testRepo } from "../support/repo.ts";

/** main: a - b - m, side: a - c, m merges c; and an unrelated root r. */
function scene() {
  const repo = testRepo();
  const a = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "-b", "side");
  const c = repo.commit("c");
  repo.git("checkout", "-q", "main");
  const b = repo.commit("b");
  repo.git("merge", "-q", "--no-ff", "-m", "m", "side");
  const m = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "--orphan", "root");
  const r = repo.commit("r");
  return { repo, commits: { a, b, c, m, r }, [Symbol.dispose]: () => repo[Symbol.dispose]() };
}

const pair = (tip: string, commit: string) => ({ tip, commit });

test("each tip is asked about its own commits only, among related and unrelated histories", async () => {
  using s = scene();
  const { a, b, c, m, r } = s.commits;
  const pairs = [a, b, c, m, r].flatMap((tip) => [a, b, c, m, r].map((commit) => pair(tip, commit)));
  const isIn = ({ tip, commit }: { tip: string; commit: string }) =>
    s.repo.git("rev-list", tip).split("\n").includes(commit);
  expect(await notContained(s.repo.path, pairs)).toEqual(new Set(pairs.filter((each) => !isIn(each))));
  const related = pairs.filter(({ tip, commit }) => tip !== r && commit !== r);
  expect(await notContained(s.repo.path, related)).toEqual(new Set(related.filter((each) => !isIn(each))));
  const one = [pair(b, c), pair(m, c)];
  expect(await notContained(s.repo.path, one)).toEqual(new Set([one[0]!]));
  expect(await notContained(s.repo.path, [])).toEqual(new Set());
});

test("where git cannot answer, nothing is known", async () => {
  using s = scene();
  const { a, b } = s.commits;
  const gone = "f".repeat(40);
  expect(await notContained(s.repo.path, [pair(gone, a)])).toBeUndefined();
  expect(await notContained(s.repo.path, [pair(a, gone), pair(a, b)])).toBeUndefined();
});

test("git is asked once about a pair, unless it failed", async () => {
  let fails = true;
  const asked: number[] = [];
  const find = rememberNotContained(async (_, pairs) => {
    asked.push(pairs.length);
    return fails ? undefined : new Set(pairs.filter(({ commit }) => commit === "x"));
  });
  const [x, y, z] = [pair("t", "x"), pair("t", "y"), pair("t", "z")];
  expect(await find("/r", [x, y])).toBeUndefined();
  fails = false;
  expect(await find("/r", [x, y])).toEqual(new Set([x]));
  expect(await find("/r", [z, x, y])).toEqual(new Set([x]));
  expect(await find("/other", [x])).toEqual(new Set([x]));
  expect(asked).toEqual([2, 2, 1, 1]);
});
