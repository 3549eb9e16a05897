import { expect, test } from "bun:test";
import fc from "fast-check";
import { runTestReviewer, testReviewerDelayMs } from "../../../src/review/agents/test-reviewer.ts";
import { splitReview } from "../../../src/review/verdict/structured.ts";
import { testRepo } from "../../support/repo.ts";

const whole = (prompt: string) => (prompt === "" ? [] : [prompt]);
const review = (diff: string) => runTestReviewer(diff, whole);
const verdict = (diff: string) => splitReview(review(diff)).block;

test("D41 every added line with BUG: is one finding of high severity at its file and line", () => {
  using repo = testRepo();
  repo.commit("base", { "src/a.ts": "one\ntwo\nthree\n", "b c.txt": "x\n", "naïve.txt": "y\n" });
  repo.commit("bad", {
    "src/a.ts": "one\ntwo\n// BUG: off by one\nthree\nfour BUG:\n",
    "b c.txt": "x\n// BUG: leaks\n",
    "naïve.txt": "y\nBUG: odd name\n",
  });
  expect(verdict(repo.git("show", "--format="))).toEqual({
    verdict: "fail",
    summary: "4 marked lines in b c.txt, naïve.txt, src/a.ts.",
    findings: [
      { severity: "high", problem: "leaks", location: "b c.txt:2", fix: expect.any(String) },
      { severity: "high", problem: "odd name", location: "naïve.txt:2", fix: expect.any(String) },
      { severity: "high", problem: "off by one", location: "src/a.ts:3", fix: expect.any(String) },
      { severity: "high", problem: "marked as a bug", location: "src/a.ts:5", fix: expect.any(String) },
    ],
  });
});

test("D41 removed and unchanged lines with BUG: pass, and the pass names the files that were read", () => {
  using repo = testRepo();
  repo.commit("base", {
    "a.ts": "// BUG: old\n// BUG: stays\n",
    "gone.ts": "BUG:\n",
    "old.ts": "1\n2\n3\n4\n",
  });
  repo.git("rm", "-q", "gone.ts");
  repo.git("mv", "old.ts", "new.ts");
  repo.commit("better", { "a.ts": "// BUG: stays\nfine\n", "bin.dat": "\0\x01" });
  const text = review(repo.git("show", "-M", "--format="));
  expect(text).toStartWith("No issues found.");
  expect(splitReview(text).block).toMatchObject({ verdict: "pass", findings: [] });
  for (const file of ["a.ts", "gone.ts", "new.ts", "bin.dat"]) expect(text).toContain(file);
});

test("content that looks like a header or a hunk is content", () => {
  using repo = testRepo();
  repo.commit("base", { "a.txt": "-- a/z\n" });
  repo.commit("odd", { "a.txt": "++ b/evil.ts\n@@ -1 +1,9 @@\ndiff --git a/q b/q\nBUG: here\n" });
  const block = verdict(repo.git("show", "--format="));
  expect(block?.findings).toEqual([
    { severity: "high", problem: "here", location: "a.txt:4", fix: expect.any(String) },
  ]);
});

test("D38 without a diff nothing passes", () => {
  expect(splitReview(review("")).block?.verdict).toBe("unable_to_review");
  expect(review("")).toContain("UNABLE TO REVIEW");
});

test("added lines can ask for a wait, with a limit", () => {
  const diff = (line: string) => `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${line}\n`;
  expect(testReviewerDelayMs(diff("TEST-REVIEWER-SLEEP: 1500"), whole)).toBe(1500);
  expect(testReviewerDelayMs(diff("TEST-REVIEWER-SLEEP: 999999999"), whole)).toBe(600_000);
  expect(testReviewerDelayMs(diff("nothing"), whole)).toBe(0);
});

test("any text is reviewed without throwing and ends in a block that can be read", () => {
  const part = fc.constantFrom(
    "diff --git a/a b/a\n",
    "+++ b/x\n",
    "@@ -1,2 +3,4 @@\n",
    "+BUG: x\n",
    '+++ "b/\\303"\n',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
      expect(splitReview(review(parts.join(""))).block).toBeDefined();
    }),
  );
});
