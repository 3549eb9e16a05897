import { describe, expect, test } from "bun:test";
import { judgeRecentCommits, type LoggedCommit } from "../../../src/cli/doctor/recent-commits.ts";
import { testJob } from "../fixtures.ts";
import { place } from "../place.ts";
import { found } from "./found.ts";

describe("the last commits", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const entry = (outcome: LoggedCommit["outcome"], more: Partial<LoggedCommit> = {}): LoggedCommit => ({
    ...{ ts: "2026-03-01T11:59:00Z", repo: "/r", outcome, message: outcome === "ok" ? "job 1" : "no daemon" },
    ...more,
  });
  const judge = (...entries: LoggedCommit[]) => judgeRecentCommits({ entries, waiting: 0 }, now);

  test("that failed are history once a later one of the same repository got through", () => {
    expect(found(judge(entry("fail"), entry("ok")))).toEqual([]);
    expect(
      judge(entry("ok"), entry("fail"), entry("fail"), entry("ok", { repo: "/other" })).findings,
    ).toMatchObject([
      {
        severity: "warning",
        message: "the last 2 commits in /r did not get to the daemon at once, 1m00s ago: no daemon",
      },
    ]);
  });

  test("that failed a week ago are not told of any more", () => {
    expect(found(judge(entry("fail", { ts: "2026-02-20T00:00:00Z" })))).toEqual([]);
  });

  test("of other repositories are not this one's newest", () => {
    const entries = [entry("ok"), entry("ok", { repo: "/other", message: "job 42" })];
    expect(judgeRecentCommits({ entries, waiting: 0, here: "/r" }, now).summary).toEndWith("job 1");
    expect(judgeRecentCommits({ entries, waiting: 0, here: "/new" }, now).summary).toBe("none yet");
  });

  test("HEAD that was never queued is told with the command; one that has a job or that the hook saw is fine", () => {
    const head = {
      ...{ sha: "1234567890", repo: "/r", hasJob: false },
      committedMs: Date.parse("2026-03-01T11:58:59Z"),
    };
    const of = (more: Partial<typeof head>, ...entries: LoggedCommit[]) =>
      found(judgeRecentCommits({ entries, waiting: 0, head: { ...head, ...more } }, now));
    expect(of({})).toEqual(["warning head-not-queued: roborev review"]);
    expect(of({}, entry("ok", { repo: "/other" }))).toHaveLength(1);
    expect(of({}, entry("ok", { ts: "2026-03-01T11:50:00Z" }))).toHaveLength(1);
    expect(of({}, entry("skip", { message: "excluded" }))).toEqual([]);
    expect(of({ hasJob: true })).toEqual([]);
  });

  test("HEAD is looked up where it was committed here since the set-up", async () => {
    let jobs: unknown[] = [];
    let created = "2020-01-01T00:00:00.000Z";
    await using at = place({
      "GET /api/repos": () => ({
        repos: [{ id: 1, root_path: at.repo.path, name: "r", active: true, created_at: created }],
      }),
      "GET /api/jobs": () => ({ jobs }),
    });
    const sha = at.repo.commit("one");
    const codes = async () => {
      const { checks } = JSON.parse((await at.cli(["doctor", "--json"])).stdout);
      const check = checks.find(({ name }: { name: string }) => name === "commits");
      return check.findings.map(({ code }: { code: string }) => code);
    };
    expect(await codes()).toEqual(["head-not-queued"]);
    jobs = [testJob({ git_ref: `main..${sha}` })];
    expect(await codes()).toEqual([]);
    jobs = [];
    created = new Date(Date.now() + 3_600_000).toISOString();
    expect(await codes()).toEqual([]);
    created = "2020-01-01T00:00:00.000Z";
    at.repo.git("checkout", "-q", "--detach", "HEAD");
    expect(await codes()).toEqual([]);
  });

  test("that wait for a daemon are a reason to start one", () => {
    expect(judgeRecentCommits({ entries: [], waiting: 2 }, now).findings).toMatchObject([
      { message: "2 commits wait for a daemon", mend: { do: "start-daemon" } },
    ]);
  });
});
