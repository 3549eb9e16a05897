import { describe, expect, test } from "bun:test";
import { madeCommits } from "../../src/git/made-commits.ts";
import { testRepo } from "../support/repo.ts";

/** A repository, and a way to commit at a second of the clock. */
function history() {
  const repo = testRepo();
  const first = repo.git("rev-parse", "HEAD");
  return {
    ...repo,
    first,
    at(second: number, message: string): string {
      process.env.GIT_COMMITTER_DATE = `@${second} +0000`;
      try {
        return repo.commit(message);
      } finally {
        delete process.env.GIT_COMMITTER_DATE;
      }
    },
    /** As if it had been pushed. */
    publish: (sha: string) => repo.git("update-ref", "refs/remotes/origin/main", sha),
  };
}

describe("commits between two positions", () => {
  test("that no remote-tracking ref reaches, oldest first", async () => {
    using repo = history();
    const [a, b, c] = [repo.at(1000, "a"), repo.at(2000, "b"), repo.at(3000, "c")];
    const query = { from: repo.first, to: c, rule: "unpublished" } as const;
    expect(await madeCommits(repo.path, query)).toEqual([a, b, c]);
    repo.publish(a);
    expect(await madeCommits(repo.path, query)).toEqual([b, c]);
    repo.git("update-ref", "refs/remotes/fork/main", c);
    expect(await madeCommits(repo.path, query)).toEqual([]);
  });

  test("that were made since a moment, to the second of git's clock", async () => {
    using repo = history();
    const [a, b, c] = [repo.at(1000, "a"), repo.at(2000, "b"), repo.at(3000, "c")];
    const since = (sinceMs: number) =>
      madeCommits(repo.path, { from: repo.first, to: c, rule: "made", sinceMs });
    repo.publish(c); // says nothing here
    expect(await since(0)).toEqual([a, b, c]);
    expect(await since(2_000_000)).toEqual([b, c]);
    expect(await since(2_000_999)).toEqual([b, c]);
    expect(await since(2_001_000)).toEqual([c]);
    expect(await madeCommits(repo.path, { from: repo.first, to: c, rule: "made" })).toEqual([]);
  });

  test("that are one or the other", async () => {
    using repo = history();
    const [a, b, c] = [repo.at(3000, "a"), repo.at(1000, "b"), repo.at(1000, "c")];
    const either = (sinceMs?: number) =>
      madeCommits(repo.path, {
        from: repo.first,
        to: c,
        rule: "either",
        ...(sinceMs === undefined ? {} : { sinceMs }),
      });
    expect(await either(0)).toEqual([a, b, c]);
    repo.publish(b);
    expect(await either(3_000_000)).toEqual([a, c]);
    expect(await either()).toEqual([c]);
    expect(await either(0)).toEqual([a, b, c]);
  });

  test("are those of the first parent alone: what a merge brought in is the merge", async () => {
    using repo = history();
    repo.git("checkout", "-q", "-b", "side");
    for (const message of ["s1", "s2", "s3"]) repo.commit(message);
    repo.git("checkout", "-q", "main");
    const own = repo.commit("own");
    repo.git("merge", "-q", "--no-edit", "side");
    const merge = repo.git("rev-parse", "HEAD");
    const query = { from: repo.first, to: merge, rule: "unpublished" } as const;
    expect(await madeCommits(repo.path, query)).toEqual([own, merge]);
  });

  test("are none backwards, and none between a position and itself", async () => {
    using repo = history();
    const a = repo.commit("a");
    expect(await madeCommits(repo.path, { from: a, to: repo.first, rule: "unpublished" })).toEqual([]);
    expect(await madeCommits(repo.path, { from: a, to: a, rule: "made", sinceMs: 0 })).toEqual([]);
  });

  test("of a branch beside the other one are those that only it has", async () => {
    using repo = history();
    const shared = repo.commit("shared");
    repo.git("checkout", "-q", "-b", "side");
    const side = repo.commit("side");
    repo.git("checkout", "-q", "main");
    const main = repo.commit("main");
    expect(await madeCommits(repo.path, { from: main, to: side, rule: "unpublished" })).toEqual([side]);
    expect(await madeCommits(repo.path, { from: shared, to: side, rule: "unpublished" })).toEqual([side]);
  });

  test("cannot be told from a commit that is not there, nor from what is no revision: that is an error", async () => {
    using repo = history();
    for (const from of ["f".repeat(40), "--output=/nonexistent/x", "", "a..b", "x\ny"])
      await expect(madeCommits(repo.path, { from, to: "HEAD", rule: "unpublished" })).rejects.toMatchObject({
        code: expect.stringMatching(/^E_(GIT|BAD_REF)$/),
      });
  });
});
