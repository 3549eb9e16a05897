import { describe, expect, test } from "bun:test";
import { judgeRecentCommits, type LoggedCommit } from "../../../src/cli/doctor/recent-commits.ts";
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

  test("that wait for a daemon are a reason to start one", () => {
    expect(judgeRecentCommits({ entries: [], waiting: 2 }, now).findings).toMatchObject([
      { message: "2 commits wait for a daemon", mend: { do: "start-daemon" } },
    ]);
  });
});
