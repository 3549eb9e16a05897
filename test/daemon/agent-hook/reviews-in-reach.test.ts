import { describe, expect, test } from "bun:test";
import { ReviewsInReach } from "../../../src/daemon/agent-hook/reviews-in-reach.ts";
import { resolveCheckout } from "../../../src/git/checkout.ts";
import { unreachableFrom } from "../../../src/git/reachability.ts";
import type { Jobs, Store } from "../../../src/store/store.ts";
import { storeFixture } from "../../store/store-fixture.ts";
import { testRepo } from "../../support/repo.ts";

async function scene() {
  const repo = testRepo();
  const f = await storeFixture();
  let reads = 0;
  const git = { fails: false };
  const jobs: Jobs = {
    ...f.store.jobs,
    openFailed(repoId) {
      reads++;
      return f.store.jobs.openFailed(repoId);
    },
  };
  const store: Store = { ...f.store, jobs };
  const inReach = new ReviewsInReach(
    async (work) => work(store),
    async (...question) => (git.fails ? undefined : unreachableFrom(...question)),
  );
  return {
    repo,
    f,
    git,
    reads: () => reads,
    async now() {
      const checkout = await resolveCheckout(repo.path);
      const reviews = await inReach.of(f.repoId, checkout!, checkout!.head!);
      return reviews.map(({ jobId }) => jobId);
    },
    [Symbol.dispose]() {
      f[Symbol.dispose]();
      repo[Symbol.dispose]();
    },
  };
}

describe.each(["main", ""])("reviews in reach of HEAD on branch %p", (branch) => {
  async function started() {
    const s = await scene();
    if (branch === "") s.repo.git("checkout", "-q", "--detach");
    return s;
  }

  test("are read once while nothing is written and HEAD stays, and anew after either", async () => {
    using s = await started();
    const gitRef = s.repo.git("rev-parse", "HEAD");
    const first = s.f.reviewed({ gitRef, branch });
    expect([await s.now(), await s.now(), await s.now()]).toEqual([[first], [first], [first]]);
    expect(s.reads()).toBe(1);
    const second = s.f.reviewed({ gitRef, branch });
    expect(await s.now()).toEqual([first, second]);
    s.f.store.reviews.setClosed(first, true, "user");
    expect(await s.now()).toEqual([second]);
    const reads = s.reads();
    s.repo.commit("next");
    expect(await s.now()).toEqual([second]);
    expect(s.reads()).toBe(reads + 1);
  });

  test("what a failing git left out is not remembered as out of reach", async () => {
    using s = await started();
    const older = s.repo.git("rev-parse", "HEAD");
    s.repo.commit("next");
    const review = s.f.reviewed({ gitRef: older });
    s.git.fails = true;
    expect(await s.now()).toEqual([]);
    s.git.fails = false;
    expect(await s.now()).toEqual([review]);
  });
});
