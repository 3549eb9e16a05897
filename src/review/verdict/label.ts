import type { Severity } from "../../store/schema.ts";
import { bareLine } from "./line.ts";
import { moreSevere, tryParseSeverity } from "./severity.ts";

/** A line that states a finding by its severity. */
export interface SeverityLabel {
  /** Index of the line. */
  index: number;
  level: Severity;
  /** What follows the label on its line. */
  rest: string;
}

const levelWord = "critical|high|medium|low";
// A hyphen needs a space behind it: "High-level" is no label.
const separator = "(?:[—–:：|]|- )";
const leading = new RegExp(`^(${levelWord})\\s*${separator}`, "i");
const named = new RegExp(
  `^severity\\s*${separator}[^\\p{L}\\p{N}]{0,16}(${levelWord})(?![\\p{L}\\p{N}])`,
  "iu",
);
const second = new RegExp(`^\\s*(?:/|-|–|to|or)\\s*(${levelWord})(?![\\p{L}\\p{N}])`, "iu");
const nothing = /^(?:none|0|n\/a|nil|nothing|no issues|no findings)(?: found)?[.!]?$/i;

/** Every severity label of a review, entries of a severity legend left out. */
export function severityLabels(lines: string[]): SeverityLabel[] {
  const labels: SeverityLabel[] = [];
  let lastLegend = Number.NEGATIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    const bare = bareLine(line);
    const label = readLabel(bare);
    if (label && index - lastLegend > 10) labels.push({ index, ...label });
    if (isLegendHeader(bare)) lastLegend = index;
  }
  return labels;
}

function readLabel(line: string): Omit<SeverityLabel, "index"> | undefined {
  const bare = line.startsWith("|") ? tableRow(line) : line;
  const match = leading.exec(bare) ?? named.exec(bare);
  const level = tryParseSeverity(match?.[1] ?? "");
  if (!match || !level) return undefined;
  const rest = bare.slice(match[0].length).trim();
  if (nothing.test(rest)) return undefined; // "High: none" counts findings, it states none
  const other = tryParseSeverity(second.exec(rest)?.[1] ?? "");
  return { level: other ? moreSevere(level, other) : level, rest };
}

/** `| **High** | a.ts:1 | … |` without its outer bars; emphasis is gone already. */
const tableRow = (line: string): string => line.replace(/^\|\s*/, "").replace(/\s*\|$/, "");

/**
 * A line that announces what the levels mean. A line that announces findings is none, whatever else it names:
 * "Findings by severity:" must not hide what follows.
 */
function isLegendHeader(bare: string): boolean {
  const text = bare.toLowerCase();
  if (bare.startsWith("|")) return /severity|level/.test(text) && /meaning|definition|description/.test(text);
  if (!bare.endsWith(":") && !bare.endsWith("：")) return false;
  if (/level|legend|rubric|rating|scale/.test(text)) return true;
  if (!/severity|priority/.test(text)) return false;
  return !/finding|issue|problem|bug|vulnerab|^(?:critical|high|medium|low)\b/.test(text);
}
