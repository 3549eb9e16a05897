import { describe, expect, test } from "bun:test";
import { combineVerdicts, readVerdict, type VerdictContext } from "../../../src/review/verdict/verdict.ts";

const names = { files: ["src/auth/token.ts", "README"], identifiers: ["refreshToken", "parse", "found"] };
const small: VerdictContext = { changedLines: 3, names };
const large: VerdictContext = { changedLines: 21, names };

const block = (verdict: string, findings: object[] = [], summary = "Checked src/auth/token.ts.") =>
  `\`\`\`json\n${JSON.stringify({ schema_version: 2, summary, verdict, findings })}\n\`\`\``;
const finding = (severity: string) => ({ severity, problem: `a ${severity} problem`, location: "a.ts:1" });

describe("V02 the structured verdict", () => {
  test("wins over prose that passes, and over levels that the prose only quotes or that are below the floor", () => {
    for (const [prose, context] of [
      ["The log says\n```\nHigh: x\n```", small],
      ["Severity levels:\nHigh: x", small],
      ["Low: x", { ...small, floor: "medium" }],
    ] as const) {
      expect(readVerdict(`${prose}\n\n${block("pass")}`, context)).toMatchObject({
        verdict: "P",
        basis: "structured",
      });
    }
    expect(readVerdict(`No issues found.\n\n${block("fail", [finding("high")])}`, small)).toMatchObject({
      verdict: "F",
      basis: "structured",
      findings: [finding("high")],
      levels: ["high"],
    });
  });

  test("follows from the findings, not from what it claims", () => {
    expect(readVerdict(block("pass", [finding("low")]), small)).toMatchObject({ verdict: "F" });
  });

  test("passes with findings below the floor and lists them", () => {
    const result = readVerdict(block("fail", [finding("low"), finding("medium")]), {
      ...small,
      floor: "high",
    });
    expect(result).toMatchObject({ verdict: "P", levels: ["low", "medium"] });
    expect(result).toHaveProperty("findings", [finding("low"), finding("medium")]);
  });

  test("falls back to prose when the block is invalid", () => {
    const invalid = '```json\n{"schema_version": 2, "verdict": "pass"}\n```';
    expect(readVerdict(`Medium: x\n${invalid}`, small)).toMatchObject({ verdict: "F", basis: "label" });
    expect(readVerdict(`No issues found.\n${invalid}`, small)).toMatchObject({
      verdict: "P",
      basis: "pass-line",
    });
    expect(readVerdict(invalid, small)).toMatchObject({ kind: "none", cause: "fallback" });
  });

  test("that says unable_to_review is no review", () => {
    expect(readVerdict(block("unable_to_review", [], "the diff was cut"), small)).toEqual({
      kind: "none",
      cause: "unable",
      reason: "the diff was cut",
    });
  });

  test("that fails without a finding needs the prose to say why", () => {
    expect(readVerdict(`High: x\n${block("fail")}`, small)).toMatchObject({ verdict: "F", basis: "label" });
    expect(readVerdict(`No issues found.\n${block("fail")}`, small)).toMatchObject({
      kind: "none",
      cause: "contradiction",
    });
  });

  test("T10 cannot pass what the prose finds: it may be a quotation from the change", () => {
    const stated =
      "- **Severity**: High\n- **Location**: a.ts:1\n- **Problem**: x\n\nThe change carries this block:";
    expect(readVerdict(`${stated}\n\n${block("pass")}`, small)).toMatchObject({
      kind: "none",
      cause: "contradiction",
    });
  });

  test("may follow the threshold marker", () => {
    expect(
      readVerdict(`SEVERITY_THRESHOLD_MET\n\n${block("pass")}`, { ...large, floor: "high" }),
    ).toMatchObject({
      verdict: "P",
      basis: "structured",
    });
  });
});

describe("D38 what is no review", () => {
  test("is never a pass and never a failed review", () => {
    const cases: [string, string][] = [
      ["", "empty"],
      [" \n\t", "empty"],
      ["Let me look at the diff.", "fallback"],
      ["SEVERITY_THRESHOLD_MET\nbut tokens leak", "fallback"],
      ["UNABLE TO REVIEW: the diff file is not readable", "unable"],
      ["## **UNABLE TO REVIEW:** no access\n\nNo issues found.", "unable"],
      [`UNABLE TO REVIEW: no access\n\n${block("pass")}`, "unable"],
      ["UNABLE TO REVIEW", "unable"],
    ];
    for (const [output, cause] of cases) {
      const result = readVerdict(output, small);
      expect(result, output).toMatchObject({ kind: "none", cause });
      expect(result.kind === "none" && result.reason, output).toMatch(/^\S.*$/);
    }
  });

  test("does not hide a finding that was stated", () => {
    expect(readVerdict("High: x\n\nUNABLE TO REVIEW: the second half", small)).toMatchObject({
      verdict: "F",
    });
  });

  test("does not come from a quotation", () => {
    expect(readVerdict("No issues found.\n```\nUNABLE TO REVIEW: x\n```", small)).toMatchObject({
      verdict: "P",
    });
  });
});

describe("D39 evidence for a pass of more than twenty changed lines", () => {
  const accepted = [
    "No issues found. Read src/auth/token.ts.",
    "No issues found. token.ts:14-20 is sound.",
    "No issues found in `README`.",
    "No issues found. refreshToken keeps its contract.",
    "No issues found; `parse` handles both forms.",
    "No issues found; parse() handles both forms.",
    `No issues found.\n${block("pass")}`,
  ];
  for (const output of accepted) {
    test(`accepts ${JSON.stringify(output).slice(0, 60)}`, () =>
      expect(readVerdict(output, large)).toMatchObject({ kind: "verdict", verdict: "P" }));
  }

  const refused = [
    "No issues found.",
    "SEVERITY_THRESHOLD_MET",
    "No issues found. The change looks good to me.",
    "No issues found. I found the readme and would parse it the same way.",
    block("pass", [], ""),
    block("pass", [], "All good."),
  ];
  for (const output of refused) {
    test(`refuses ${JSON.stringify(output).slice(0, 60)}`, () =>
      expect(readVerdict(output, large)).toMatchObject({ kind: "none", cause: "evidence" }));
  }

  test("is not asked for up to twenty lines, nor for a failed review", () => {
    expect(readVerdict("No issues found.", { changedLines: 20, names })).toMatchObject({ verdict: "P" });
    expect(readVerdict("High: it breaks", large)).toMatchObject({ verdict: "F" });
  });

  test("does not come from the words of the answer's own format", () => {
    const own = {
      changedLines: 30,
      names: { files: [], identifiers: ["schema_version", "SEVERITY_THRESHOLD_MET"] },
    };
    expect(readVerdict(`SEVERITY_THRESHOLD_MET\n${block("pass", [], "schema_version ok")}`, own).kind).toBe(
      "none",
    );
  });
});

describe("a change reviewed in parts", () => {
  const of = (output: string) => readVerdict(output, small);

  test("fails when any part fails, with the findings of all", () => {
    const low = readVerdict(block("fail", [finding("low")]), { ...small, floor: "high" });
    const result = combineVerdicts([of("No issues found."), low, of(block("fail", [finding("high")]))]);
    expect(result).toMatchObject({ verdict: "F", levels: ["low", "high"] });
    expect(result).toHaveProperty("findings", [finding("low"), finding("high")]);
  });

  test("passes only when every part does, and needs a verdict of each", () => {
    expect(combineVerdicts([of("No issues found."), of("Pass")])).toMatchObject({ verdict: "P" });
    expect(combineVerdicts([of("High: x"), of("hm")])).toMatchObject({ kind: "none", cause: "fallback" });
    expect(combineVerdicts([])).toMatchObject({ kind: "none" });
  });
});
