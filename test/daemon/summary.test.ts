import { expect, test } from "bun:test";
import type { SummaryResponse } from "../../src/daemon/api/responses.ts";
import { summarize } from "../../src/daemon/summary.ts";
import type { JobFacts } from "../../src/store/store.ts";
import { review } from "../store/store-fixture.ts";
import { testDaemon } from "../support/daemon.ts";
import { tempDir } from "../support/temp.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

function facts(more: Partial<JobFacts> = {}): JobFacts {
  return {
    agent: "codex",
    job_type: "review",
    status: "done",
    retry_count: 0,
    repo_name: "shop",
    repo_path: "/shop",
    enqueued_at: at(0),
    started_at: at(1),
    finished_at: at(11),
    ...more,
  };
}
const passed = facts({ verdict: "P", closed: false });
const failed = facts({ verdict: "F", closed: false });
const addressed = facts({ verdict: "F", closed: true });
const broken = (error: string, more: Partial<JobFacts> = {}) => facts({ status: "failed", error, ...more });

test("verdicts are counted of reviews alone, and only failed ones can be dealt with", () => {
  const closedPass = { ...passed, closed: true };
  const { overview, verdicts } = summarize([
    passed,
    closedPass,
    failed,
    addressed,
    broken("x"),
    facts({ status: "queued" }),
  ]);
  expect(overview).toMatchObject({ total: 6, done: 4, failed: 1, queued: 1, skipped: 0 });
  expect(verdicts).toEqual({
    total: 4,
    passed: 2,
    failed: 2,
    addressed: 1,
    pass_rate: 0.5,
    resolution_rate: 0.5,
  });
});

test("of nothing there is no rate and no duration, rather than zero", () => {
  expect(summarize([])).toEqual({
    overview: expect.objectContaining({ total: 0 }),
    verdicts: { total: 0, passed: 0, failed: 0, addressed: 0 },
    agents: [],
    duration: {},
    job_types: [],
    failures: { total: 0, retries: 0, errors: {} },
    repos: [],
  });
});

test("durations are those of jobs that were reviewed, whatever the clock did", () => {
  const took = (seconds: number, waited = 1) =>
    facts({ verdict: "P", started_at: at(waited), finished_at: at(waited + seconds) });
  const backwards = facts({ started_at: at(5), finished_at: at(2) });
  const jobs = [...Array.from({ length: 99 }, (_, n) => took(n + 1)), took(1000, 60), backwards];
  const { duration, agents } = summarize([...jobs, broken("x", { finished_at: at(9999) })]);
  expect(duration).toMatchObject({
    review_p50_secs: 50,
    review_p90_secs: 90,
    review_p99_secs: 99,
    queue_p50_secs: 1,
  });
  expect(duration.queue_p99_secs).toBe(5);
  expect(agents[0]?.median_duration_secs).toBe(50);
});

test("each reviewer and each repository stands for itself, the busiest first", () => {
  const other = { agent: "gemini", repo_path: "/b", repo_name: "b" };
  const { agents, repos, job_types } = summarize([
    { ...addressed, ...other },
    passed,
    broken("x"),
    { ...failed, job_type: "range" },
  ]);
  expect(agents).toMatchObject([
    { agent: "codex", total: 3, passed: 1, failed: 1, errors: 1, pass_rate: 0.5 },
    { agent: "gemini", total: 1, passed: 0, failed: 1, errors: 0, pass_rate: 0 },
  ]);
  expect(repos).toEqual([
    { name: "shop", path: "/shop", total: 3, passed: 1, failed: 1, addressed: 0 },
    { name: "b", path: "/b", total: 1, passed: 0, failed: 1, addressed: 1 },
  ]);
  expect(job_types).toEqual([
    { type: "review", count: 3 },
    { type: "range", count: 1 },
  ]);
});

test("failures are sorted by what kept a review from being there", () => {
  const { failures } = summarize([
    broken("quota: codex failed (exit 1): usage limit", { retry_count: 0 }),
    broken("no-verdict: the sandbox does not start", { retry_count: 1 }),
    broken("codex did not finish within 10 min", { retry_count: 3 }),
    broken("reviewer codex is not installed: codex was not found"),
    broken("__proto__"),
    { ...passed, retry_count: 2 },
  ]);
  expect(failures).toEqual({
    total: 5,
    retries: 6,
    errors: { quota: 1, "no-verdict": 1, timeout: 1, missing: 1, other: 1 },
  });
});

test("GET /api/summary takes what was queued in time, of a repository and branch or of all", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.join("data"));
  const { store } = daemon.parts.services;
  const started = new Date();
  for (const [name, branch] of [
    ["a", "main"],
    ["a", "topic"],
    ["b", "main"],
  ] as const) {
    const repoId = store.repos.getOrCreate({ rootPath: `/${name}`, name, identity: "" }).id;
    store.jobs.enqueue({
      repoId,
      gitRef: branch,
      branch,
      jobType: "review",
      agent: "test",
      reasoning: "fast",
    });
    const job = store.jobs.claim("worker");
    store.jobs.complete(job?.id ?? 0, "worker", review());
  }
  const ask = async (query: Record<string, string>) => {
    const { body } = await daemon.get(
      `/api/summary?${new URLSearchParams({ since: "2026-01-01T00:00:00Z", ...query })}`,
    );
    return body as SummaryResponse;
  };
  const all = await ask({});
  expect(all).toMatchObject({ since: "2026-01-01T00:00:00.000Z", overview: { total: 3, done: 3 } });
  expect(all.repos?.map(({ path, total }) => [path, total])).toEqual([
    ["/a", 2],
    ["/b", 1],
  ]);
  const one = await ask({ repo: "/a", branch: "topic" });
  expect(one).toMatchObject({ repo_path: "/a", branch: "topic", verdicts: { total: 1, failed: 1 } });
  expect(one.repos).toBeUndefined();
  expect((await ask({ repo: "/A" })).overview.total).toBe(0);
  expect((await ask({ since: new Date(started.getTime() + 3_600_000).toISOString() })).overview.total).toBe(
    0,
  );
  expect((await daemon.get("/api/summary?since=soon")).status).toBe(400);
});
