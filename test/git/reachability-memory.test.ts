import { expect, test } from "bun:test";
import { unreachableFrom } from "../../src/git/reachability.ts";
import { rememberUnreachable } from "../../src/git/reachability-memory.ts";
import { testRepo } from "../support/repo.ts";

/** main: a - b; feature: a - c. */
function scene() {
  const repo = testRepo();
  const a = repo.git("rev-parse", "HEAD");
  const b = repo.commit("b");
  repo.git("checkout", "-q", "-b", "feature", a);
  const c = repo.commit("c");
  const asked: string[][] = [];
  const unreachable = rememberUnreachable((cwd, shas, tip) => {
    asked.push(shas);
    return unreachableFrom(cwd, shas, tip);
  });
  const from = async (tip: string, ...shas: string[]) => [
    ...((await unreachable(repo.path, shas, tip)) ?? ["?"]),
  ];
  return { repo, a, b, c, asked, from, [Symbol.dispose]: () => repo[Symbol.dispose]() };
}

test("git is asked once about each commit and tip, and the answers are git's", async () => {
  using s = scene();
  const { a, b, c } = s;
  const missing = "f".repeat(40);
  expect(await s.from(b, a, c)).toEqual([c]);
  expect(await s.from(b, c, a, b, missing)).toEqual([c, missing]);
  expect(await s.from(b, missing, b)).toEqual([missing]);
  expect(await s.from(c, a, b, c)).toEqual([b]);
  expect(s.asked).toEqual([
    [a, c],
    [b, missing],
    [a, b, c],
  ]);
});

test("a ref moves, so that it is asked about every time", async () => {
  using s = scene();
  expect(await s.from("refs/heads/main", s.c)).toEqual([s.c]);
  s.repo.git("update-ref", "refs/heads/main", s.c);
  expect(await s.from("refs/heads/main", s.c)).toEqual([]);
});

test("when git fails, nothing is remembered", async () => {
  let fails = true;
  const unreachable = rememberUnreachable(async (_, shas) => (fails ? undefined : new Set(shas)));
  const [tip, sha] = ["a".repeat(40), "b".repeat(40)];
  expect(await unreachable("/r", [sha], tip)).toBeUndefined();
  fails = false;
  expect(await unreachable("/r", [sha], tip)).toEqual(new Set([sha]));
});

test("of many tips only those used last are remembered", async () => {
  let asked = 0;
  const unreachable = rememberUnreachable(async () => {
    asked++;
    return new Set();
  });
  const tip = (n: number) => n.toString(16).padStart(40, "0");
  const sha = "b".repeat(40);
  for (let n = 0; n < 100; n++) {
    await unreachable("/r", [sha], tip(n));
    await unreachable("/r", [sha], tip(0));
  }
  expect(asked).toBe(100);
  await unreachable("/r", [sha], tip(1));
  expect(asked).toBe(101);
  await unreachable("/another", [sha], tip(1));
  expect(asked).toBe(102);
});
