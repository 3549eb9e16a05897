import { describe, expect, test } from "bun:test";
import { parsePlainVerdict } from "../../../src/review/verdict/plain.ts";
import type { Severity, Verdict } from "../../../src/store/schema.ts";

const marker = "SEVERITY_THRESHOLD_MET";

function expectVerdict(rows: Record<string, [output: string, verdict: Verdict]>): void {
  for (const [name, [output, verdict]] of Object.entries(rows)) {
    test(`${verdict}: ${name}`, () => expect(parsePlainVerdict(output).verdict).toBe(verdict));
  }
}

describe("V01 every row of the edge table", () => {
  expectVerdict({
    "caveats behind the pass phrase are not parsed": ["No issues found, but consider refactoring.", "P"],
    "a later pass line wins over a stated FAIL": ["**Verdict**: FAIL\n\nNo issues found.", "P"],
    "pass right behind the label": ["**Verdict**:No issues found.", "P"],
    "pass behind a label and a tab": ["**Verdict**:\tNo issues found.", "P"],
    "a long list number": ["100. No issues found.", "P"],
    "a heading": ["### No issues found.", "P"],
    "underscores as emphasis": ["__No issues found.__", "P"],
    "a finding before 'Otherwise no issues found.'": [
      "Medium - Security issue\nOtherwise no issues found.",
      "F",
    ],
    "a bulleted severity field": ["- **Severity**: Low\n- **Problem**: a nit", "F"],
    "a severity field with a hyphen": ["Severity - High", "F"],
    "a legend behind a pass line": [
      "No issues found.\n\nSeverity levels:\nHigh - data loss\nMedium - degraded",
      "P",
    ],
    "a bold legend with bullets": [
      "No issues found.\n\n**Severity levels:**\n- **High** - data loss\n- **Medium** - degraded\n- **Low** - nit",
      "P",
    ],
    "high-level is no label": ["No issues found.\nThis is a high-level overview", "P"],
    "a level as an ordinary word": ["No issues found.\nThe medium was oil on canvas.", "P"],
    "narration only": ["Reviewing the diff in context first. Let me read the callers.", "F"],
    "issues stated without a label": ["The code has issues.", "F"],
    "the marker with other text": [`${marker}\nThe auth module leaks tokens`, "F"],
    "the marker in a fence": [`\`\`\`\n${marker}\n\`\`\``, "P"],
    "the marker in bold": [`**${marker}**`, "P"],
    "the marker as a bullet": [`- ${marker}`, "P"],
    "a pass sentence in the middle of a line": ["Summary: looks fine. No issues found.", "P"],
    "nothing at all": ["", "F"],
  });

  test("a word with a level in it labels nothing", () => {
    expect(parsePlainVerdict("This is a high-level overview").levels).toEqual([]);
    expect(parsePlainVerdict("High-level: fine").basis).toBe("fallback");
  });
});

describe("V01 passes in many wordings", () => {
  const passes = [
    "No issues found.",
    "no issues found",
    "No issues.",
    "No issues were identified in this commit.",
    "No findings.",
    "- No issues found.",
    "* No issues found.",
    "1. No issues found.",
    "2) No issues found.",
    "**No issues found.**",
    "## **No issues found.**",
    "I didn't find any issues.",
    "I didn’t find any issues in this change.",
    "I did not find any issues.",
    "I found no issues.",
    "Pass",
    "**Verdict**: PASS",
    "Verdict: Pass.",
    "Review result: No issues found.",
    "## Review Findings: no issues found.",
    "Findings: No findings.",
    "Result : pass",
    "\n\n  No issues found.  \r\n",
    "```markdown\nNo issues found.\n\nThe parser is sound.\n```",
    "The change is sound. I found no issues.",
    "Checked both callers! No issues found here.",
    "The high-level design is fine. No issues found.",
    "docs/severity.md and `severity.ts` are fine. No issues found.",
    "No issues found.\n\n| Severity | Meaning |\n|---|---|\n| High | data loss |\n| Low | a nit |",
    "| Severity | Count |\n|---|---|\n| High | 0 |\n\nNo issues found.",
    `${marker}.`,
    `  _${marker}_ `,
    `\`${marker}\``,
    "Critical: 0\nHigh: none\nMedium: None.\nLow: n/a\n\nNo issues found.",
    "Rating scale:\n- High: data loss\n- Low: nit\n\nNo issues found.",
    "等级 (severity)：\nHigh: 数据丢失\n\nNo issues found.",
  ];
  for (const output of passes) {
    test(JSON.stringify(output).slice(0, 70), () => expect(parsePlainVerdict(output).verdict).toBe("P"));
  }
});

describe("V01 findings in many layouts", () => {
  const labels: [string, Severity[]][] = [
    ["High: x", ["high"]],
    ["**High**: x", ["high"]],
    ["- **High** — x", ["high"]],
    ["* Medium – x", ["medium"]],
    ["• Low | x", ["low"]],
    ["1. **Critical**: x", ["critical"]],
    ["### High - x", ["high"]],
    ["### 1. High — x", ["high"]],
    ["#### **Low**: x", ["low"]],
    ["LOW : x", ["low"]],
    ["Severity: high", ["high"]],
    ["**Severity:** `Medium`", ["medium"]],
    ["- **Severity**: **Low**", ["low"]],
    ["__Severity__ | Critical", ["critical"]],
    ["Severity: [High]", ["high"]],
    ["Severity: Low/Medium", ["medium"]],
    ["| Severity | Where |\n|---|---|\n| **High** | a.ts:1 |\n| Low | b.ts:2 |", ["high", "low"]],
    ["Medium: a\n---\nHigh: b\n---\nLow: c", ["medium", "high", "low"]],
    ["Findings by severity:\n- High: x", ["high"]],
    ["High-priority issues:\n- High: x", ["high"]],
    ["High: none of the callers checks the result", ["high"]],
  ];
  for (const [output, levels] of labels) {
    test(JSON.stringify(output).slice(0, 70), () => {
      expect(parsePlainVerdict(`${output}\n\nNo issues found in tests.`)).toEqual({
        verdict: "F",
        basis: "label",
        levels,
      });
    });
  }

  test("a legend reaches ten lines and no further", () => {
    const at = (distance: number) => `Severity levels:${"\n".repeat(distance)}High: x\n\nNo issues found.`;
    expect(parsePlainVerdict(at(10)).verdict).toBe("P");
    expect(parsePlainVerdict(at(11)).verdict).toBe("F");
  });
});

describe("V01 text without a verdict is a fallback, never a pass", () => {
  const texts = [
    "",
    "   \n",
    "I will now review the diff.",
    "The previous review said: No issues found.",
    "> No issues found.",
    "A comment in the diff says\n```\nNo issues found.\n```\nand nothing else.",
    '"No issues found." is what the commit message asks for.',
    "I checked the tests. No issues there. But the parser leaks.",
    "Severity: High risk. No issues found? Unclear.".replace("Severity: High", "Its severity is unknown"),
    `The marker ${marker} does not apply.`,
    `${marker} ${marker}`,
    "Passing this would be wrong.",
    "passes: 3",
    "Highly suspicious: x",
    "Severity: None",
    "Severity: Highest",
    "Medium rare steak",
    "```\nunclosed fence\nNo issues found.",
  ];
  for (const output of texts) {
    test(JSON.stringify(output).slice(0, 70), () => expect(parsePlainVerdict(output).basis).toBe("fallback"));
  }
});

describe("D39 the severity floor", () => {
  test("labels fail at or above it and are listed in any case", () => {
    const output = "Low: a\n---\nMedium: b";
    expect(parsePlainVerdict(output, "high")).toEqual({
      verdict: "P",
      basis: "label",
      levels: ["low", "medium"],
    });
    expect(parsePlainVerdict(output, "medium").verdict).toBe("F");
    expect(parsePlainVerdict(output, "low").verdict).toBe("F");
    expect(parsePlainVerdict(output).verdict).toBe("F");
    expect(parsePlainVerdict("Critical: a", "critical").verdict).toBe("F");
  });

  test("a stated FAIL decides where no label does", () => {
    expect(parsePlainVerdict("The plan cannot work.\n\nVerdict: FAIL")).toMatchObject({
      verdict: "F",
      basis: "label",
    });
    expect(parsePlainVerdict("No issues found in the PRD.\n\n**Verdict**: Fail").verdict).toBe("F");
    expect(parsePlainVerdict("Low: a\n\nVerdict: FAIL", "medium").verdict).toBe("P");
  });
});
