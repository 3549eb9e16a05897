import type { Finding } from "../../store/schema.ts";
import { type DiffFile, parseDiff } from "../prompt/diff-file.ts";
import { diffFilePath } from "../prompt/diff-path.ts";

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

function readDiff(diff: string): { files: string[]; added: AddedLine[] } {
  const files = parseDiff(diff).filter((file) => file.header.some((line) => line.startsWith("diff --git ")));
  return { files: files.map(diffFilePath), added: files.flatMap(addedLines) };
}

function addedLines(file: DiffFile): AddedLine[] {
  const path = diffFilePath(file);
  return file.hunks.flatMap(({ newStart, lines }) => {
    // What stands in the new file: context and added lines, numbered from where the hunk begins.
    const kept = lines.filter((line) => !/^[-\\]/.test(line)).map((line) => line.replace(/\r?\n$/, ""));
    return kept.flatMap((line, index) =>
      line.startsWith("+") ? { file: path, line: newStart + index, text: line.slice(1) } : [],
    );
  });
}
