import { describe, expect, test } from "bun:test";
import { type GoneRepo, judgeRepositories } from "../../../src/cli/doctor/repositories.ts";
import { found } from "./found.ts";

const gone = (root_path: string, takeAlong?: string): GoneRepo => ({
  repo: {
    id: 1,
    name: "shop",
    root_path,
    created_at: "2026-01-01T00:00:00.000Z",
    active: true,
    job_count: 3,
  },
  ...(takeAlong === undefined ? {} : { takeAlong }),
});

describe("repositories", () => {
  test("that are where they were are counted", () => {
    expect(judgeRepositories({ known: 2, gone: [] })).toMatchObject({ summary: "2 known", findings: [] });
    expect(judgeRepositories({ known: 0, gone: [] }).summary).toBe("none yet");
  });

  test("are not judged without a daemon", () => {
    expect(judgeRepositories(undefined)).toMatchObject({
      summary: "not asked, no daemon runs",
      findings: [],
    });
  });

  test("one that was moved here is a warning with the command that takes its jobs along", () => {
    const moved = gone("/old/shop", "roborev repo move /old/shop /new/shop");
    const check = judgeRepositories({ known: 1, gone: [moved] });
    expect(check.summary).toBe("1 known, 1 of them gone");
    expect(found(check)).toEqual(["warning repo-moved: roborev repo move /old/shop /new/shop"]);
    expect(check.findings[0]?.message).toBe("this repository was at /old/shop, and its 3 jobs stayed there");
  });

  test("that are gone are notes, of which the first five are told", () => {
    const check = judgeRepositories({ known: 9, gone: [1, 2, 3, 4, 5, 6, 7].map((n) => gone(`/gone ${n}`)) });
    expect(check.findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      ...[1, 2, 3, 4, 5].map((n) => `note: the repository /gone ${n} is gone`),
      "note: 2 more repositories are gone",
    ]);
    expect(check.findings[0]?.repair).toContain("roborev repo move '/gone 1' PATH");
  });
});
