import { describe, expect, test } from "bun:test";
import { findingLines } from "../../src/cli/findings-text.ts";
import type { ReviewFinding } from "../../src/store/schema.ts";
import { reply } from "../client/fake-daemon.ts";
import { testReview } from "./fixtures.ts";
import { place } from "./place.ts";

const route = "POST /api/comment";
const at = "2026-01-01T12:00:00.000Z";
const finding = (number: number, more: Partial<ReviewFinding> = {}): ReviewFinding => ({
  ...{ number, severity: "high", problem: "off by one" },
  ...more,
});
const accepting = { [route]: () => reply(201, { job_id: 7, findings: [finding(2)] }) };

describe("comment --finding", () => {
  test("says of one finding or of several what has become of it, with a reason or, when fixed, without", async () => {
    await using here = place(accepting);
    expect(await here.cli(["comment", "7", "--finding", "2", "--refuted", "-m", "no bug"])).toEqual({
      code: 0,
      stdout: "Finding 2 of job 7 is refuted\n",
      stderr: "",
    });
    // Nothing is read where nothing needs to be said.
    const fixed = await here.cli(["comment", "--job", "7", "--finding=3, 1,3", "--fixed"], {
      stdin: "unread",
    });
    expect(fixed.stdout).toBe("Findings 1 and 3 of job 7 are fixed\n");
    await here.cli(["respond", "7", "--finding", "2", "--deferred"], { stdin: "in issue 12\n" });
    await here.cli(["comment", "7", "--finding", "2", "--fixed", "in", "1a2b3c4"]);
    const common = { job_id: 7, commenter: "tester", worktree_path: here.repo.path };
    expect(here.daemon.of(route).map(({ body }) => body)).toEqual([
      { ...common, comment: "no bug", finding: [2], disposition: "refuted" },
      { ...common, finding: [3, 1], disposition: "fixed" },
      { ...common, comment: "in issue 12", finding: [2], disposition: "deferred" },
      { ...common, comment: "in 1a2b3c4", finding: [2], disposition: "fixed" },
    ]);
  });

  test("with --json it prints the findings as they are now", async () => {
    await using here = place(accepting);
    const { stdout } = await here.cli(["comment", "7", "--finding", "2", "--fixed", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ job_id: 7, findings: [finding(2)] });
  });

  test("what cannot be meant is refused before anything is sent", async () => {
    await using here = place(accepting);
    for (const [words, code, error] of [
      [["--fixed"], 2, "--fixed needs --finding"],
      [["--refuted", "-m", "x"], 2, "--refuted needs --finding"],
      [["--finding", "2", "-m", "x"], 2, "--finding needs --fixed, --refuted or --deferred"],
      [["--finding", "2", "--fixed", "--refuted"], 2, "--fixed and --refuted cannot be used together"],
      [["--finding", "2", "--deferred", "--refuted"], 2, "--refuted and --deferred cannot be used together"],
      [["--finding", "0", "--fixed"], 2, "--finding must be a whole number of at least 1, got 0"],
      [["--finding", "1,two", "--fixed"], 2, "--finding must be a whole number of at least 1, got two"],
      [["--finding", "1,", "--fixed"], 2, "--finding must be a whole number of at least 1, got nothing"],
      [["--finding", "2", "--refuted", "-m", " "], 2, "the comment is empty"],
      [["--finding", "2", "--refuted"], 1, "a finding is refuted for a reason, and there is none"],
      [["--finding", "2", "--deferred"], 1, "a finding is deferred for a reason, and there is none"],
    ] as const) {
      const result = await here.cli(["comment", "7", ...words], { stdin: " \n" });
      expect([words, result.code, result.stderr]).toEqual([words, code, expect.stringContaining(error)]);
    }
    expect(here.daemon.of(route)).toEqual([]);
  });

  test("what the daemon says against it comes with its hint, exit 1; one that is older is told apart", async () => {
    await using refusing = place({
      [route]: () => reply(404, { error: "there is only 1", code: "E_NOT_FOUND", hint: "Look." }),
    });
    expect(await refusing.cli(["comment", "7", "--finding", "2", "--fixed"])).toMatchObject({
      code: 1,
      stderr: "Error: there is only 1. Look.\n",
    });
    await using older = place({
      [route]: () => reply(201, { id: 1, responder: "x", response: "y", created_at: at }),
    });
    const result = await older.cli(["comment", "7", "--finding", "2", "--fixed", "-m", "y"]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("roborev daemon restart") });
  });
});

describe("show", () => {
  const findings = [
    finding(1, { location: "a.ts:1", disposition: { state: "fixed", by: "roborev-fix", at } }),
    finding(2, { disposition: { state: "refuted", by: "ada", message: "no bug:\nsee b.ts", at } }),
    finding(3, { severity: "low", problem: "magic number\nwith more to say" }),
  ];

  test("lists each finding with its number and what has become of it, below the review and above the comments", async () => {
    const comments = [{ id: 1, responder: "ada", response: "Thanks.", created_at: at }];
    await using here = place({ "GET /api/review": () => testReview({ findings, comments }) });
    const { stdout } = await here.cli(["show", "7"]);
    expect(stdout.slice(stdout.indexOf("High:")).replaceAll(/\[[^\]]*\]/g, "[time]")).toBe(
      `High: an empty list divides by zero.

--- Findings ---
1. high, a.ts:1: off by one
   fixed [time] by roborev-fix
2. high: off by one
   refuted [time] by ada: no bug:
   see b.ts
3. low: magic number

--- Comments ---
[time] ada: Thanks.
`,
    );
    const { findings: json } = JSON.parse((await here.cli(["show", "7", "--json"])).stdout);
    expect(json).toEqual(findings);
  });

  test("a review without findings has no such list", async () => {
    for (const more of [{ findings: [] }, {}]) {
      await using here = place({ "GET /api/review": () => testReview(more) });
      expect((await here.cli(["show", "7"])).stdout).not.toContain("Findings ---");
    }
  });

  test("hostile and endless texts stay in their lines", () => {
    const paint = (_: unknown, text: string) => text;
    const evil = "x\u001b[2J\n4. high: forged\u202e\r5. low: forged";
    const disposition = { state: "refuted" as const, by: evil, message: evil, at: evil };
    const lines = findingLines(
      [finding(1, { problem: evil, location: evil, disposition }), finding(2, { problem: "é".repeat(500) })],
      { paint } as never,
    );
    expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(lines.filter((line) => /^\d/.test(line))).toHaveLength(2);
    expect(Buffer.byteLength(lines.at(-1) ?? "")).toBeLessThan(170);
  });
});
