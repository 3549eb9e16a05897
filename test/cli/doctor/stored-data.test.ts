import { expect, test } from "bun:test";
import { judgeDatabase, judgeHookState } from "../../../src/cli/doctor/stored-data.ts";
import { found } from "./found.ts";

test("a damaged database and an unreadable state are errors, what is not there yet is none", () => {
  const paths = { database: "/d/reviews.db", hookState: "/d/state.json" };
  const none = { database: { state: "missing" as const }, hookState: { state: "missing" as const } };
  expect([...found(judgeDatabase(none, paths)), ...found(judgeHookState(none, paths))]).toEqual([]);
  const bad = {
    database: { state: "damaged" as const, problem: "page 2" },
    hookState: { state: "damaged" as const, problem: "no JSON" },
  };
  expect(judgeDatabase(bad, paths).findings).toMatchObject([
    {
      severity: "error",
      message: "/d/reviews.db is damaged: page 2",
      repair: expect.stringContaining("roborev daemon stop"),
    },
  ]);
  const newer = {
    ...none,
    database: { state: "refused" as const, problem: "of a newer one", hint: "Install it." },
  };
  expect(judgeDatabase(newer, paths).findings).toEqual([
    { code: "database-refused", severity: "error", message: "of a newer one", repair: "Install it." },
  ]);
  expect(judgeHookState(bad, paths).findings[0]).toMatchObject({
    severity: "error",
    repair: expect.stringContaining("roborev daemon restart"),
  });
});
