import type { Finding } from "../../store/schema.ts";
import { unquotedPath } from "../prompt/diff-path.ts";

/** Takes the diffs out of a prompt, exactly as they were put in. */
export type ExtractDiffs = (prompt: string) => string[];

interface AddedLine {
  file: string;
  line: number;
  text: string;
}

/** The built-in reviewer: every added line with `BUG:` is a finding of high severity; without one the diff passes. */
export function runTestReviewer(prompt: string, extract: ExtractDiffs): string {
  const diffs = extract(prompt).map(readDiff);
  const files = [...new Set(diffs.flatMap((diff) => diff.files))];
  if (files.length === 0) return unreviewed;
  const findings = diffs.flatMap((diff) => diff.added).flatMap(findingOf);
  return findings.length > 0 ? failed(findings, files) : passed(files);
}

/** Sum of the waits that added lines ask for (`TEST-REVIEWER-SLEEP: <ms>`), at most ten minutes: for tests of time-outs. */
export function testReviewerDelayMs(prompt: string, extract: ExtractDiffs): number {
  const waits = extract(prompt)
    .flatMap((diff) => readDiff(diff).added)
    .map(({ text }) => Number(/TEST-REVIEWER-SLEEP: (\d{1,9})/.exec(text)?.[1] ?? 0));
  return Math.min(
    600_000,
    waits.reduce((sum, wait) => sum + wait, 0),
  );
}

function findingOf({ file, line, text }: AddedLine): Finding[] {
  const at = text.indexOf("BUG:");
  if (at === -1) return [];
  const problem = text.slice(at + "BUG:".length).trim() || "marked as a bug";
  return [{ severity: "high", problem, location: `${file}:${line}`, fix: "Correct it and remove the mark." }];
}

function failed(findings: Finding[], files: string[]): string {
  const parts = findings.map(
    (finding) =>
      `- **Severity**: High\n- **Location**: ${finding.location}\n- **Problem**: ${finding.problem}\n- **Fix**: ${finding.fix}\n`,
  );
  const summary = `${findings.length} marked ${findings.length === 1 ? "line" : "lines"} in ${listed(files)}.`;
  return `## Review Findings\n\n${parts.join("\n---\n\n")}\n## Summary\n\n${summary}\n\n${block("fail", summary, findings)}`;
}

function passed(files: string[]): string {
  const summary = `Read the changes to ${listed(files)}; no added line carries a mark.`;
  return `No issues found. ${summary}\n\n${block("pass", summary, [])}`;
}

const unreviewed = `UNABLE TO REVIEW: there is no diff in the prompt.\n\n${block("unable_to_review", "There is no diff in the prompt.", [])}`;

function block(verdict: "pass" | "fail" | "unable_to_review", summary: string, findings: Finding[]): string {
  return `\`\`\`json\n${JSON.stringify({ schema_version: 2, summary, verdict, findings }, null, 2)}\n\`\`\`\n`;
}

const listed = (files: string[]): string =>
  files.length <= 20
    ? files.join(", ")
    : `${files.slice(0, 20).join(", ")} and ${files.length - 20} more files`;

/** Reads a unified diff by its hunks' lengths, so that no content can pass for a header. */
function readDiff(diff: string): { files: string[]; added: AddedLine[] } {
  const files: string[] = [];
  const added: AddedLine[] = [];
  let file = "";
  let line = 0;
  let oldLeft = 0;
  let newLeft = 0;
  for (const text of diff.split("\n")) {
    if (oldLeft > 0 || newLeft > 0) {
      const sign = text[0];
      if (sign === "\\") continue;
      if (sign !== "+") oldLeft--;
      if (sign !== "-") newLeft--;
      if (sign === "+") added.push({ file, line, text: text.slice(1) });
      if (sign !== "-") line++;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk) {
      oldLeft = Number(hunk[1] ?? 1);
      line = Number(hunk[2]);
      newLeft = Number(hunk[3] ?? 1);
    } else {
      const name = headerFile(text);
      if (name !== undefined) {
        file = name;
        if (!files.includes(name)) files.push(name);
      }
    }
  }
  return { files, added };
}

/** The file that a header line names, on its new side; for a deletion, the only one. */
function headerFile(line: string): string | undefined {
  const both = /^diff --git a\/(.+) b\/\1$/.exec(line) ?? /^diff --git ("a\/.+") "b\/.+"$/.exec(line);
  const name = both?.[1] ?? /^(?:rename to|\+\+\+) (.+?)\t?$/.exec(line)?.[1];
  if (name === undefined || name === "/dev/null") return undefined;
  return unquotedPath(name).replace(line.startsWith("+++ ") || name.startsWith('"a/') ? /^[ab]\// : /^$/, "");
}
