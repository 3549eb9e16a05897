import { expect, test } from "bun:test";
import { judgeDaemon } from "../../../src/cli/doctor/daemon.ts";
import { withoutVainStarts } from "../../../src/cli/doctor/examine.ts";
import type { Check } from "../../../src/cli/doctor/finding.ts";
import { planMends } from "../../../src/cli/doctor/mend.ts";
import { judgeRecentCommits } from "../../../src/cli/doctor/recent-commits.ts";
import { judgeDatabase } from "../../../src/cli/doctor/stored-data.ts";
import { found } from "./found.ts";

test("a daemon is not started on a damaged database, neither for its own sake nor for commits that wait", () => {
  const paths = { database: "/d/reviews.db", hookState: "/d/state.json" };
  const stored = (state: "sound" | "damaged") => ({
    database: state === "sound" ? { state, bytes: 1 } : { state, problem: "page 2" },
    hookState: { state: "missing" as const },
  });
  const gone = { state: "not-running" as const, lastLine: "", held: false, leftSocket: false };
  const all = (state: "sound" | "damaged") =>
    withoutVainStarts([
      judgeDatabase(stored(state), paths),
      judgeDaemon(gone, { dataDir: "/d", named: false }),
      judgeRecentCommits({ entries: [], waiting: 1 }, new Date()),
    ]);
  const mends = (checks: Check[]) => planMends(checks).map((mend) => mend.do);
  expect(mends(all("sound"))).toEqual(["start-daemon"]);
  expect(mends(all("damaged"))).toEqual([]);
  expect(all("damaged").flatMap(found)).toContain(
    "warning daemon-not-running: Mend the database first, then: roborev daemon start",
  );
});
