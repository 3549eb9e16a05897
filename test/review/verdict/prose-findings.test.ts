import { describe, expect, test } from "bun:test";
import { proseFindings } from "../../../src/review/verdict/prose-findings.ts";

describe("findings in prose", () => {
  test("are read from the layout that we ask for", () => {
    const output = `## Review Findings

- **Severity**: High
- **Location**: \`src/a.ts:12\`
- **Problem**: The token is logged.
  Anyone with the log can use it.
- **Fix**: Log its id instead.

---

- **Severity**: Low
- **Location**: src/b.ts:3
- **Problem**: Dead branch.

## Summary

Two findings.`;
    expect(proseFindings(output)).toEqual([
      {
        severity: "high",
        location: "src/a.ts:12",
        problem: "The token is logged.\n  Anyone with the log can use it.",
        fix: "Log its id instead.",
      },
      { severity: "low", location: "src/b.ts:3", problem: "Dead branch." },
    ]);
  });

  test("are read from labelled lines, with the location out of the text", () => {
    const output =
      "High — src/a.ts:12: overflow when n is 0\n\nIt adds up.\n---\nMedium: no limit in (lib/b.go:7-9).";
    expect(proseFindings(output)).toEqual([
      {
        severity: "high",
        location: "src/a.ts:12",
        problem: "src/a.ts:12: overflow when n is 0\nIt adds up.",
      },
      { severity: "medium", location: "lib/b.go:7-9", problem: "no limit in (lib/b.go:7-9)." },
    ]);
  });

  test("may stand on one line, below a title, or behind their location", () => {
    expect(
      proseFindings("- **Severity**: Low; **Location**: a.ts:3; **Problem**: nit; **Fix**: drop it"),
    ).toEqual([{ severity: "low", location: "a.ts:3", problem: "nit", fix: "drop it" }]);
    expect(
      proseFindings("### 1. SQL injection in search\n\n- **Severity**: Critical\n- **Location**: q.ts:9"),
    ).toEqual([{ severity: "critical", location: "q.ts:9", problem: "1. SQL injection in search".slice(3) }]);
    const twice =
      "**Location**: a.ts:1\n**Severity**: High\n**Problem**: x\n\n**Location**: b.ts:2\n**Severity**: Low\n**Problem**: y";
    expect(proseFindings(twice)).toEqual([
      { severity: "high", location: "a.ts:1", problem: "x" },
      { severity: "low", location: "b.ts:2", problem: "y" },
    ]);
  });

  test("always state a problem, and do not include legends", () => {
    expect(proseFindings("Severity: High")).toEqual([
      { severity: "high", problem: "See the text of the review." },
    ]);
    expect(proseFindings("No issues found.\n\nSeverity levels:\n- High: data loss")).toEqual([]);
  });

  test("stay bounded: long texts are cut, and at most a thousand are listed", () => {
    const many = proseFindings("High: x\n".repeat(5000));
    expect(many).toHaveLength(1000);
    const [long] = proseFindings(`High: ${"y".repeat(100_000)}\n${"z".repeat(100_000)}`);
    expect(long?.problem.length).toBeLessThan(20_000);
  });
});
