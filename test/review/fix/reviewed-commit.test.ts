import { expect, test } from "bun:test";
import { ensureReviewed } from "../../../src/review/fix/reviewed-commit.ts";
import { sha, testJob } from "../../cli/fixtures.ts";

const commit = { sha: sha("b"), base: sha("a"), count: 1, branch: "main" };

/** Whose listing gives these jobs, one after the other. */
function services(listings: ReturnType<typeof testJob>[][]) {
  const asked: unknown[] = [];
  const pauses: number[] = [];
  return {
    asked,
    pauses,
    checkout: { worktreeRoot: "/w", mainRoot: "/m" } as never,
    client: {
      jobs: async () => ({ jobs: listings.shift() ?? [] }),
      enqueue: async (request: unknown) => {
        asked.push(request);
        return testJob({ id: 9 });
      },
    } as never,
    pause: async (ms: number) => void pauses.push(ms),
  };
}

test("a commit of a fix is reviewed by the job of the git hook, however late within ten seconds", async () => {
  const s = services([[], [testJob({ id: 8, git_ref: sha("b"), status: "queued" })]]);
  expect(await ensureReviewed(s, commit)).toMatchObject({ job: { id: 8 } });
  expect([s.pauses, s.asked]).toEqual([[1000], []]);
});

test("a job of the branch up to the commit reviews it as well, a canceled one does not", async () => {
  const canceled = testJob({ id: 7, git_ref: sha("b"), status: "canceled" });
  const range = testJob({ id: 8, git_ref: `${sha("0")}..${sha("b")}` });
  expect(await ensureReviewed(services([[canceled, range]]), commit)).toMatchObject({ job: { id: 8 } });
});

test("where no hook queues it, it is queued after ten looks, of several commits all of them", async () => {
  const s = services([]);
  expect(await ensureReviewed(s, commit)).toMatchObject({ job: { id: 9 } });
  await ensureReviewed(s, { ...commit, count: 2 });
  expect(s.pauses).toHaveLength(18);
  expect(s.asked).toEqual([
    { repo_path: "/w", git_ref: sha("b"), branch: "main", source: "post_commit" },
    { repo_path: "/w", git_ref: `${sha("a")}..${sha("b")}`, branch: "main", source: "post_commit" },
  ]);
});
