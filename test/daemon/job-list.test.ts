import { expect, test } from "bun:test";
import type { JobsResponse } from "../../src/daemon/api/responses.ts";
import { testDaemon } from "../support/daemon.ts";
import { storeReview } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";

test("S09 the route of the list takes every filter by its name, and answers with has_more and what it counted", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const { store } = daemon.parts.services;
  const repo = (rootPath: string) => store.repos.getOrCreate({ rootPath, name: "r", identity: rootPath }).id;
  const [one, other] = [repo("/w%x/one"), repo("/wyx/two")];
  const open = storeReview(store, { repoId: one, gitRef: "a", branch: "main" });
  const closed = storeReview(store, { repoId: one, gitRef: "b", branch: "main", verdict: "P" });
  store.reviews.setClosed(closed, true, "user");
  const end = "c".repeat(40);
  const range = storeReview(store, { repoId: one, gitRef: `a..${end}`, jobType: "range" });
  const elsewhere = storeReview(store, { repoId: other, gitRef: "d", branch: "main" });
  const request = { agent: "test", reasoning: "fast", jobType: "review" } as const;
  const { id: queued } = store.jobs.enqueue({ ...request, repoId: one, gitRef: "e", branch: "side" }).job;
  const listed = async (query: Record<string, string>) => {
    const { body } = await daemon.get(`/api/jobs?${new URLSearchParams(query)}`);
    const { jobs, has_more, stats } = body as JobsResponse;
    return { ids: jobs.map(({ id }) => id), has_more, stats };
  };
  for (const [query, ids] of [
    [{}, [queued, elsewhere, range, closed, open]],
    [{ id: String(range) }, [range]],
    [{ status: "queued" }, [queued]],
    [{ repo: "/wyx/two" }, [elsewhere]],
    [{ repo_prefix: "/w%x" }, [queued, range, closed, open]],
    [{ git_ref: "b" }, [closed]],
    [{ range_end: end }, [range]],
    [{ job_type: "range" }, [range]],
    [{ branch: "main", repo: "/w%x/one" }, [closed, open]],
    [{ branch: "side", branch_include_empty: "true" }, [queued, range]],
    [{ closed: "true" }, [closed]],
    [{ closed: "false", repo: "/w%x/one" }, [queued, range, open]],
    [{ before: String(range), limit: "1" }, [closed]],
    [{ limit: "0" }, [queued, elsewhere, range, closed, open]],
  ] as [Record<string, string>, number[]][])
    expect({ query, ids: (await listed(query)).ids }).toEqual({ query, ids });
  expect(await listed({ repo: "/w%x/one", limit: "2", before: String(queued), status: "done" })).toEqual({
    ids: [range, closed],
    has_more: true,
    stats: { done: 3, closed: 1, open: 2 },
  });
  for (const query of ["closed=maybe", "status=odd", "before=x", "range_end=HEAD"])
    expect((await daemon.get(`/api/jobs?${query}`)).status).toBe(400);
});
