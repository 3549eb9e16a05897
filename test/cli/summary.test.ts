import { expect, test } from "bun:test";
import { summaryText } from "../../src/cli/summary-text.ts";
import type { SummaryResponse } from "../../src/daemon/api/responses.ts";
import { fakeDaemon } from "../client/fake-daemon.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { type CliOptions, runCli } from "./run-cli.ts";

const states = { queued: 0, running: 0, done: 0, failed: 0, canceled: 0, applied: 0, rebased: 0, skipped: 0 };
const empty: SummaryResponse = {
  since: "2026-01-01T00:00:00.000Z",
  overview: { total: 0, ...states },
  verdicts: { total: 0, passed: 0, failed: 0, addressed: 0 },
  agents: [],
  duration: {},
  job_types: [],
  failures: { total: 0, retries: 0, errors: {} },
};

test("summary says what there is and leaves out what there is not", () => {
  expect(summaryText({ ...empty, repo_path: "/shop" }, "7d")).toBe("Last 7d of /shop\nNo jobs.");
  const text = summaryText(
    {
      ...empty,
      branch: "ma\u001b[2Jin",
      overview: { ...states, total: 5, done: 4, failed: 1 },
      verdicts: { total: 4, passed: 1, failed: 3, addressed: 1, pass_rate: 0.25, resolution_rate: 0.333 },
      duration: { review_p50_secs: 61.4, review_p90_secs: 90, review_p99_secs: 3700 },
      failures: { total: 1, retries: 3, errors: { timeout: 1 } },
      agents: [{ agent: "co\ndex", total: 5, passed: 1, failed: 3, errors: 1, median_duration_secs: 61.4 }],
      repos: [{ name: "shop", path: "/shop", total: 5, passed: 1, failed: 3, addressed: 1 }],
    },
    "24h",
  );
  expect(text.split("\n")).toEqual([
    'Last 24h of all repositories, branch "ma [2Jin"',
    "Jobs      5: 4 done, 1 failed",
    "Verdicts  1 passed (25%), 3 failed, 1 of these closed (33%)",
    "Review    median 1m01s, 90% in 1m30s, 99% in 1h01m",
    "Failures  1 (timeout 1), 3 retries",
    "",
    "Agent   Jobs  Passed  Failed  Errors  Median",
    "co dex  5     1       3       1       1m01s",
    "",
    "Repo  Jobs  Passed  Failed  Closed  Path",
    "shop  5     1       3       1       /shop",
  ]);
});

test("summary asks for this repository and the last week, --all for everything, --since for another time", async () => {
  using dir = tempDir();
  using repo = testRepo();
  await using daemon = fakeDaemon(dir.join("data"), { "GET /api/summary": () => empty });
  const now = new Date("2026-03-15T12:00:00Z");
  const run = (argv: string[], options: CliOptions = {}) =>
    runCli(["summary", ...argv], {
      cwd: repo.path,
      now,
      ...options,
      env: { ROBOREV_DATA_DIR: dir.join("data") },
    });
  for (const argv of [[], ["--all", "--since", "24h"], ["--since", "2w", "--branch", "main"]])
    expect((await run(argv)).code).toBe(0);
  expect(daemon.of("GET /api/summary").map(({ query }) => query)).toEqual([
    { since: "2026-03-08T12:00:00.000Z", repo: repo.path },
    { since: "2026-03-14T12:00:00.000Z" },
    { since: "2026-03-01T12:00:00.000Z", repo: repo.path, branch: "main" },
  ]);
  expect(JSON.parse((await run(["--json"])).stdout)).toEqual(empty);
  for (const argv of [
    ["--since", "7"],
    ["--since", "0d"],
    ["--since", "-1d"],
    ["--all", "--repo", "."],
  ])
    expect((await run(argv)).code).toBe(2);
  const outside = await run([], { cwd: dir.path });
  expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining("sum up all with --all")]);
});
