import { describe, expect, test } from "bun:test";
import { changeEvidence } from "../../../src/review/verdict/evidence-names.ts";
import { readVerdict, type VerdictContext } from "../../../src/review/verdict/verdict.ts";

const context: VerdictContext = {
  changedLines: 50,
  names: { files: ["src/a.ts", "src/pay.ts"], identifiers: ["chargeCard"] },
};

const block = (verdict: string, findings: object[] = [], summary = "Read src/a.ts.") =>
  JSON.stringify({ schema_version: 2, summary, verdict, findings });
const high = { severity: "high", problem: "chargeCard runs twice", location: "src/pay.ts:3", fix: "once" };
const pass = block("pass");
const fail = block("fail", [high], "src/pay.ts charges twice");
const fenced = (json: string) => `\`\`\`json\n${json}\n\`\`\``;

const refused = (outputs: string[], cause: string) => {
  for (const output of outputs)
    expect(readVerdict(output, context), output).toMatchObject({ kind: "none", cause });
};

describe("D38 a pass that another part of the review contradicts is no verdict", () => {
  test("when the block before the one at the end fails, or is unable", () => {
    refused(
      [
        `${fail}\n\n${pass}`,
        `${fenced(fail)}\n\nThe change adds this fixture:\n\n${fenced(pass)}`,
        `${block("unable_to_review")}\n${pass}`,
        `${block("Fail")}\n${pass}`,
      ],
      "contradiction",
    );
  });

  test("when prose stands behind a block that fails, as it does with many models", () => {
    refused(
      [
        `${fenced(fail)}\nNo issues found in the tests of src/a.ts.`,
        `${JSON.stringify(JSON.parse(fail), null, 2)}\nNo findings in the other files, src/a.ts for one.`,
        `${fenced(block("unable_to_review", [], "no file"))}\nNo issues found in what src/a.ts shows.`,
      ],
      "contradiction",
    );
  });

  test("when the block that fails is of another shape or was cut off", () => {
    const prose = "No issues with the style of src/a.ts.";
    refused(
      [
        `${prose}\n\n${fail.slice(0, -20)}`,
        `${prose}\n\n${fail.replace('"schema_version":2', '"schema_version":1')}`,
        `${prose}\n\n${fail.replace('"problem"', '"description"')}`,
        `${prose}\n\n{"result":${fail}}`,
        `${prose}\n\n{"verdict":"fail","findings":["chargeCard runs twice"]}`,
        `${prose}\n\n{"findings":[{"title": "x", "severity": "HIGH"}]}`,
      ],
      "contradiction",
    );
  });

  test("when the text rates a finding, however it writes the level", () => {
    refused(
      [
        `1. **[High]** src/pay.ts charges twice\n\n${pass}`,
        `- src/pay.ts:3 (high): charges twice\n\n${pass}`,
        `| # | Severity | Where |\n|---|---|---|\n| 1 | High | src/pay.ts |\n\n${pass}`,
        "src/pay.ts:3 [HIGH] charges twice.\n\nNo issues found elsewhere in src/a.ts.",
        "src/pay.ts:3 - [P1] charges twice.\n\nNo issues found elsewhere in src/a.ts.",
      ],
      "contradiction",
    );
  });
});

describe("a finding is read however its line begins", () => {
  for (const line of [
    "🔴 High: charges twice",
    "[High] src/pay.ts charges twice",
    "- [P1] chargeCard runs twice — src/pay.ts:3",
    "**High severity**: charges twice",
    "High-priority: charges twice",
    "| 2 | **High** | src/pay.ts:3 | charges twice |",
  ])
    test(line, () =>
      expect(readVerdict(`${line}\n\nNo issues found in src/a.ts.`, context)).toMatchObject({
        verdict: "F",
        levels: ["high"],
      }),
    );
});

describe("D38 a pass of what was not read is no verdict", () => {
  test("when the reviewer says so in its own words", () => {
    refused(
      [
        "I was unable to read the diff file src/a.ts. No issues found.",
        "No findings: I could not open src/a.ts.",
        "No issues found. I couldn’t access `src/a.ts`.",
        "No issues found in src/a.ts, but the diff was not provided.",
        "Unable to review: src/a.ts is missing\nNo issues found.",
        "No issues found. Please provide the diff of src/a.ts.",
        block("pass", [], "UNABLE TO REVIEW: src/a.ts cannot be read"),
        block("pass", [], "src/a.ts: the snapshot file could not be opened."),
        `I could not read the diff.\n${pass}`,
      ],
      "unable",
    );
  });

  test("when it has not come to the end yet", () => {
    refused(
      [
        "No issues found so far in src/a.ts; next I read src/pay.ts.",
        "No findings yet in src/a.ts.",
        "No issues could be assessed in src/a.ts.",
      ],
      "fallback",
    );
  });
});

describe("a pass that says the like about the change stays one", () => {
  for (const output of [
    `src/a.ts now retries when it cannot open the file.\n\n${pass}`,
    `A user who could not read a file gets 403 from \`chargeCard\`.\n\n${pass}`,
    `No issues found. chargeCard no longer fails when the card could not be charged.`,
    `No issues found. I could not find any issue with the changes in src/a.ts.`,
    `No issues found. I could not run the tests; src/a.ts reads well.`,
    `I could not open src/gone.ts, which the change deletes.\n\n${pass}`,
    `No issues found. The search in src/a.ts narrows arr[low] and arr[high] rightly.`,
    `No issues found. \`{"verdict": "fail"}\` in src/a.ts is the answer that its test expects.`,
    `No issues found. The load of src/a.ts is low (medium at worst).`,
    `No issues found. See [high](docs/high.md) beside src/a.ts.`,
    `Low: a name in src/a.ts\n\n${block("fail", [{ severity: "low", problem: "a name" }])}`,
  ])
    test(output.slice(0, 70), () =>
      expect(readVerdict(output, { ...context, floor: "medium" })).toMatchObject({ verdict: "P" }),
    );
});

describe("D39 evidence for a pass of a change on few long lines", () => {
  test("is asked for as for one on many lines", () => {
    const text = `diff --git a/a.min.js b/a.min.js\n--- a/a.min.js\n+++ b/a.min.js\n@@ -0,0 +1 @@\n+${"f(x);".repeat(60_000)}\n`;
    const change = changeEvidence({ text, files: [{ path: "a.min.js" }] });
    expect(readVerdict("No issues found.", change)).toMatchObject({ kind: "none", cause: "evidence" });
    expect(readVerdict(block("pass", [], ""), change)).toMatchObject({ kind: "none", cause: "evidence" });
    expect(readVerdict("No issues found in a.min.js.", change)).toMatchObject({ verdict: "P" });
  });
});
