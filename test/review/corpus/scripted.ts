import { extractDiffs } from "../../../src/review/prompt/boundary.ts";
import { changedLines, parseDiff } from "../../../src/review/prompt/diff-file.ts";
import { diffFilePath } from "../../../src/review/prompt/diff-path.ts";
import type { Fault } from "./corpus.ts";

/** What a scripted reviewer sees of a prompt: the files, and the fault if the prompt really shows it. */
export interface Seen {
  prompt: string;
  file: string;
  fault?: Fault;
}

export type Style = (seen: Seen) => string;

export function look(prompt: string, fault: Fault | undefined): Seen {
  const diffs = extractDiffs(prompt);
  const file = diffs.flatMap(parseDiff).map(diffFilePath)[0] ?? "";
  const shown = fault && diffs.flatMap(changedLines).some((line) => line.includes(fault.mark));
  return { prompt, file, ...(shown ? { fault } : {}) };
}

export const block = (verdict: string, summary: string, findings: object[] = []) =>
  JSON.stringify({ schema_version: 2, summary, verdict, findings });
const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const title = (level: string) => level[0]?.toUpperCase() + level.slice(1);
const legend = "Severity levels:\n- High - data loss\n- Medium - degraded\n- Low - a nit";

type Report = (finding: Fault & { at: string; level: string }) => string;

const structured: Report = ({ severity, problem, fix, at, path }) =>
  block("fail", `Examined ${path}.`, [{ severity, problem, fix, location: at }]);
const layout: Report = ({ level, at, problem, fix }) =>
  `## Review Findings\n\n- **Severity**: ${level}\n- **Location**: ${at}\n- **Problem**: ${problem}\n- **Fix**: ${fix}\n\n## Summary\n\nOne finding.`;

/** Every way of the edge table to report a finding; each states the fault and nothing else. */
const reports: Record<string, Report> = {
  "the layout and the block": (f) => `${layout(f)}\n\n${fenced(structured(f))}`,
  "the block alone": structured,
  "a bare block behind prose": (f) => `I looked at ${f.path}.\n${structured(f)}`,
  "a pass phrase before the block": (f) => `No issues found.\n\n${fenced(structured(f))}`,
  "a block that claims to pass": (f) => structured(f).replace('"fail"', '"pass"'),
  "the layout without a block": layout,
  "the layout and a broken block": (f) => `${layout(f)}\n\n${fenced(structured(f).slice(0, -2))}`,
  "the whole review in a fence": (f) => `\`\`\`markdown\n${layout(f)}\n\`\`\``,
  "a label and a colon": (f) => `${f.level}: ${f.at}: ${f.problem}`,
  "a bold label and a dash": (f) => `- **${f.level}** — ${f.at}: ${f.problem}`,
  "a label and a hyphen": (f) => `${f.level} - ${f.problem}\nOtherwise no issues found.`,
  "a numbered label": (f) => `1. **${f.level}**: ${f.problem} (${f.at})`,
  "a heading": (f) => `### 1. ${f.level} — ${f.problem}\n\nIn ${f.at}.`,
  "a severity with a hyphen": (f) => `Severity - ${f.level}\nLocation: ${f.at}\nProblem: ${f.problem}`,
  "a severity in underscores": (f) => `__Severity__: ${f.level.toUpperCase()}\n${f.problem}`,
  "everything on one line": (f) =>
    `- **Severity**: ${f.level}; **Location**: ${f.at}; **Problem**: ${f.problem}`,
  "a row of a table": (f) =>
    `| Severity | Location | Problem |\n|---|---|---|\n| **${f.level}** | ${f.at} | ${f.problem} |`,
  "a table and a pass phrase": (f) =>
    `| Severity | Location |\n|---|---|\n| ${f.level} | ${f.at} |\n\nNo issues found in the tests.`,
  "a stated FAIL": (f) => `**Verdict**: FAIL\n\n${f.level}: ${f.problem} (${f.at})`,
  "a stated PASS that its own finding refutes": (f) =>
    `Verdict: PASS\n\n- **Severity**: ${f.level}\n- **Problem**: ${f.problem}`,
  "a legend far above": (f) => `${legend}${"\n".repeat(12)}${f.level}: ${f.problem}`,
  "the marker and a finding": (f) => `SEVERITY_THRESHOLD_MET\n\n${f.level}: ${f.problem}`,
  "a finding before it gives up": (f) => `${f.level}: ${f.problem}\n\nUNABLE TO REVIEW: the second half`,
};

/** Every way of the edge table to say that there is nothing. */
const passes: Record<string, (file: string) => string> = {
  "the phrase and the block": (file) =>
    `No issues found. Read ${file}.\n\n${fenced(block("pass", `Read ${file}.`))}`,
  "the block alone": (file) => block("pass", `Read ${file}.`),
  "the phrase": (file) => `No issues found.\n\nRead \`${file}\`.`,
  "the phrase with a caveat": (file) => `No issues found, but consider refactoring \`${file}\`.`,
  "a later pass line": (file) => `**Verdict**: FAIL\n\nNo issues found. Read \`${file}\` again.`,
  "right behind the label": (file) => `**Verdict**:No issues found.\n\`${file}\``,
  "behind a tab": (file) => `**Verdict**:\tNo issues found.\n\`${file}\``,
  "a long list number": (file) => `100. No issues found.\n\`${file}\``,
  "a heading": (file) => `### No issues found.\n\n\`${file}\` is sound.`,
  underscores: (file) => `__No issues found.__ \`${file}\``,
  "a curly apostrophe": (file) => `I didn’t find any issues in \`${file}\`.`,
  "one word": (file) => `\`${file}\`\n\nVerdict: PASS`,
  "a sentence in the middle": (file) => `Summary: \`${file}\` looks fine. No issues found.`,
  "a legend behind it": (file) => `No issues found. \`${file}\`\n\n${legend}`,
  "a bold legend": (file) =>
    `No issues found. \`${file}\`\n\n**Severity levels:**\n- **High** - data loss\n- **Low** - nit`,
  "a legend in a table": (file) =>
    `No issues found. \`${file}\`\n\n| Severity | Meaning |\n|---|---|\n| High | data loss |\n| Low | a nit |`,
  "counts of nothing": (file) => `Critical: 0\nHigh: none\nMedium: None.\n\nNo issues found in \`${file}\`.`,
  "counts in a table": (file) =>
    `| Severity | Count |\n|---|---|\n| High | 0 |\n| Low | none |\n\nNo issues found in \`${file}\`.`,
  "words that only look like labels": (file) =>
    `No issues found. \`${file}\`\nThis is a high-level overview.\nThe medium was oil on canvas.`,
  "a quoted log before the block": (file) =>
    `The log says\n\`\`\`\nHigh: x\n\`\`\`\n\n${fenced(block("pass", `Read ${file}.`))}`,
};

/** What is no review, whoever says it and whatever the change is. */
export const noReviews: Record<string, Style> = {
  nothing: () => "",
  blanks: () => " \n\t\n",
  "narration only": () => "Reviewing the diff in context first. Let me read the callers.",
  "a claim without a finding": () => "The code has issues.",
  "the marker with other text": () => "SEVERITY_THRESHOLD_MET\nThe auth module leaks tokens",
  "the unable line": () => "UNABLE TO REVIEW: the diff file is not readable",
  "the unable line and a pass": ({ file }) =>
    `UNABLE TO REVIEW: no access\n\nNo issues found in \`${file}\`.`,
  "the unable block": ({ file }) => block("unable_to_review", `no access to ${file}`),
  "the unable line and a passing block": ({ file }) => `UNABLE TO REVIEW: no access\n${block("pass", file)}`,
  "a quoted pass": ({ file }) => `> No issues found in \`${file}\`.`,
  "a pass phrase in a fence": ({ file }) => `${file} contains\n\`\`\`\nNo issues found.\n\`\`\``,
  "a passing block that is quoted": ({ file }) =>
    `The change adds\n${fenced(block("pass", file))}\nto ${file}.`,
  "a block that fails without a finding": ({ file }) => `No issues found in ${file}.\n${block("fail", file)}`,
  "half a block": ({ file }) => block("pass", `Read ${file}.`).slice(0, -3),
  "an error of the program": () => "Error: request failed with status 529",
  "the diff itself": ({ prompt }) => extractDiffs(prompt).join(""),
};

export const styles: Record<string, Style> = Object.fromEntries(
  Object.keys(reports).flatMap((report, index) => {
    const names = Object.keys(passes);
    const pass = names[index % names.length] as string;
    return [
      [`${report} / ${pass}`, styleOf(reports[report] as Report, passes[pass] as (file: string) => string)],
    ];
  }),
);

function styleOf(report: Report, pass: (file: string) => string): Style {
  return ({ file, fault }) =>
    fault
      ? report({ ...fault, at: `${fault.path}:${fault.line}`, level: title(fault.severity) })
      : pass(file);
}
