import { describe, expect, test } from "bun:test";
import { expectWithin } from "../support/limit.ts";
import { storeFixture } from "./store-fixture.ts";

describe("fairness", () => {
  async function twoRepos() {
    const f = await storeFixture();
    const { id: other } = f.store.repos.getOrCreate({ rootPath: "/other", name: "other", identity: "o" });
    const claim = (n: number) => f.store.jobs.claim(`w${n}`, { perRepo: 3 })?.id;
    return { f, other, claim };
  }

  test("a repository with its share of the workers waits while jobs of others do, whoever came first", async () => {
    const { f, other, claim } = await twoRepos();
    using _ = f;
    const busy = Array.from({ length: 5 }, (_, n) => f.enqueue({ gitRef: `a${n}` }));
    f.clock.advance(1000);
    const late = f.enqueue({ gitRef: "b", repoId: other });
    expect([1, 2, 3, 4].map(claim)).toEqual([...busy.slice(0, 3), late]);
  });

  test("it takes every worker while nobody else waits", async () => {
    const { f, other, claim } = await twoRepos();
    using _ = f;
    const ids = Array.from({ length: 4 }, (_, n) => f.enqueue({ gitRef: `a${n}` }));
    const notYet = f.enqueue({
      gitRef: "b",
      repoId: other,
      notBefore: new Date(f.clock.now().getTime() + 1000),
    });
    expect([1, 2, 3, 4].map(claim)).toEqual(ids);
    expect(claim(5)).toBeUndefined();
    f.clock.advance(1000);
    expect(claim(5)).toBe(notYet);
  });

  test("a job that its last worker is not done with is passed over", async () => {
    using f = await storeFixture();
    const [first, second] = [f.enqueue(), f.enqueue({ gitRef: "b" })];
    expect(f.store.jobs.claim("w", { except: [first] })?.id).toBe(second);
    expect(f.store.jobs.claim("w", { except: [first] })).toBeUndefined();
  });

  test("the search for the next job reads no more of a long queue than it must", async () => {
    using f = await storeFixture();
    f.store.transaction(() => {
      for (let n = 0; n < 20_000; n++) f.enqueue({ gitRef: `a${n}` });
    });
    const sinceMs = performance.now();
    for (let n = 0; n < 20; n++) f.store.jobs.claim(`w${n}`, { perRepo: 100, except: [1, 2, 3] });
    expectWithin((performance.now() - sinceMs) / 20, 20);
  });
});
