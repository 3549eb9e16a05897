import { describe, expect, test } from "bun:test";
import { judge } from "../../../src/review/judge.ts";
import { extractDiffs } from "../../../src/review/prompt/boundary.ts";
import type { PromptInput } from "../../../src/review/prompt/input.ts";
import { buildReviewPrompt } from "../../../src/review/prompt/review-prompt.ts";
import { changeEvidence } from "../../../src/review/verdict/evidence-names.ts";
import { reachesFloor } from "../../../src/review/verdict/severity.ts";
import type { VerdictResult } from "../../../src/review/verdict/verdict.ts";
import type { Severity } from "../../../src/store/schema.ts";
import { clean, faulty, inputOf, type Sample } from "./corpus.ts";
import { look, noReviews, type Style, styles } from "./scripted.ts";

// 40 changes with a known defect and 20 without, through prompt building and verdict parsing: the scripted reviewers
// see nothing but the prompt, and answer in every style of the edge table.

interface Reviewed {
  result: VerdictResult;
  prompts: number;
}

function review(sample: Sample, style: Style, changes: Partial<PromptInput> = {}): Reviewed {
  const prompt = buildReviewPrompt(inputOf(sample, changes));
  if ("tooLarge" in prompt) throw new Error(prompt.reason);
  const answers = prompt.prompts.map((text) => style(look(text, sample.fault)));
  return {
    result: judge(prompt, answers, changes.minSeverity === undefined ? {} : { floor: changes.minSeverity }),
    prompts: prompt.prompts.length,
  };
}

test("the corpus holds 40 changes with a defect and 20 without, each shown whole by its prompt", () => {
  expect([faulty.length, clean.length]).toEqual([40, 20]);
  for (const sample of [...faulty, ...clean]) {
    const prompt = buildReviewPrompt(inputOf(sample));
    expect("prompts" in prompt && prompt.prompts.flatMap(extractDiffs), sample.name).toEqual([sample.diff]);
  }
  for (const { name, diff, fault } of faulty) {
    const { names } = changeEvidence({ text: diff, files: [{ path: fault.path }] });
    expect(names.files, name).toEqual([fault.path]);
  }
});

describe("no vacuous pass, no phantom failure: every style", () => {
  for (const [name, style] of Object.entries(styles)) {
    test(name, () => {
      for (const sample of faulty) {
        const { result } = review(sample, style);
        expect(result, sample.name).toMatchObject({ verdict: "F", levels: [sample.fault.severity] });
        expect(result.kind === "verdict" && result.findings, sample.name).toMatchObject([
          { severity: sample.fault.severity },
        ]);
      }
      for (const sample of clean) {
        const { result } = review(sample, style);
        expect(result, sample.name).toMatchObject({ verdict: "P", findings: [], levels: [] });
      }
    });
  }
});

describe("a floor decides what fails, and hides nothing", () => {
  for (const floor of ["critical", "high", "medium", "low"] as const satisfies Severity[]) {
    test(floor, () => {
      for (const style of Object.values(styles))
        for (const sample of faulty) {
          const { result } = review(sample, style, { minSeverity: floor });
          const fails = reachesFloor(sample.fault.severity, floor);
          // Below the floor a review may also contradict itself (FAIL, marker, UNABLE); it is never a failed one then.
          if (fails || result.kind === "verdict")
            expect(result).toMatchObject({ verdict: fails ? "F" : "P" });
          if (result.kind === "verdict") expect(result.levels).toEqual([sample.fault.severity]);
        }
    });
  }
});

describe("what is no review gives no verdict, on a faulty change or a clean one", () => {
  for (const [name, style] of Object.entries(noReviews)) {
    test(name, () => {
      for (const sample of [...faulty, ...clean]) {
        const { result } = review(sample, style);
        expect(result, sample.name).toMatchObject({ kind: "none" });
        expect(result.kind === "none" && result.reason, sample.name).toMatch(/^\S[^\n]*$/);
      }
    });
  }

  test("a pass of a long change that names nothing of it", () => {
    const long = [...faulty, ...clean].filter(
      ({ diff }) => changeEvidence({ text: diff, files: [] }).changedLines > 20,
    );
    expect(long.length).toBeGreaterThanOrEqual(3);
    for (const pass of [
      "No issues found.",
      "SEVERITY_THRESHOLD_MET",
      "Verdict: PASS",
      "No issues found. All good.",
    ])
      for (const sample of long)
        expect(review(sample, () => pass).result, sample.name).toMatchObject({
          kind: "none",
          cause: "evidence",
        });
  });

  test("a prompt that comes back", () => {
    for (const sample of [...faulty, ...clean])
      expect(review(sample, ({ prompt }) => prompt).result, sample.name).not.toMatchObject({ verdict: "P" });
  });
});

test("a change in parts is found out by the part that shows the defect, in every style", () => {
  const filler = clean.filter(({ name }) => name === "thirty-lines").map(({ diff }) => diff)[0] ?? "";
  const copies = Array.from({ length: 4 }, (_, n) => filler.replaceAll("src/table.ts", `src/table${n}.ts`));
  for (const style of Object.values(styles))
    for (const sample of faulty) {
      const large = { ...sample, diff: copies.join("") + sample.diff };
      const { result, prompts } = review(large, style, { maxBytes: 8_000 });
      expect(prompts, sample.name).toBeGreaterThan(1);
      expect(result, sample.name).toMatchObject({ verdict: "F", levels: [sample.fault.severity] });
    }
  for (const style of Object.values(styles)) {
    const { result, prompts } = review({ name: "filler", diff: copies.join("") }, style, { maxBytes: 8_000 });
    expect([prompts > 1, result]).toMatchObject([true, { verdict: "P", findings: [] }]);
  }
});
