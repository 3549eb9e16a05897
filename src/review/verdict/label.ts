import type { Severity } from "../../store/schema.ts";
import { bareLine } from "./line.ts";
import { moreSevere, severities, tryParseSeverity } from "./severity.ts";

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
const leading = new RegExp(`^(${levelWord})(?:[ -](?:severity|priority|risk))?\\s*${separator}`, "i");
const named = new RegExp(
  `^severity\\s*${separator}[^\\p{L}\\p{N}]{0,16}(${levelWord})(?![\\p{L}\\p{N}])`,
  "iu",
);
// `[High] …` and `[P1] …`, as Codex's own reviews are written; `[high](…)` is a link.
const bracketed = new RegExp(`^\\[(?:(${levelWord})|P([0-3]))\\](?!\\()`, "i");
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

const tag = new RegExp(
  `(?<=^|[\\s*(])(?:\\[(?:(${levelWord})|P([0-3]))\\](?!\\()|\\((${levelWord})\\)\\s*${separator})`,
  "gi",
);

/** Levels that a line of prose carries somewhere in it, as `[high]`, `[P1]`, `(high):`. */
export function taggedLevels(line: string): Severity[] {
  return [...line.slice(0, maxTagged).matchAll(tag)].flatMap(
    (match) => levelOf(match[1] ?? match[3], match[2]) ?? [],
  );
}

const maxTagged = 2000;

const levelOf = (word: string | undefined, priority: string | undefined): Severity | undefined =>
  priority === undefined ? tryParseSeverity(word ?? "") : severities[Number(priority)];

function readLabel(line: string): Omit<SeverityLabel, "index"> | undefined {
  const bare = withoutPictures(line.startsWith("|") ? tableRow(line) : line);
  const tagged = bare.startsWith("[") ? bracketed.exec(bare) : null;
  const match = tagged ?? leading.exec(bare) ?? named.exec(bare);
  const level = levelOf(match?.[1], tagged?.[2]);
  if (!match || !level) return undefined;
  const rest = bare.slice(match[0].length).trim();
  if (nothing.test(rest)) return undefined; // "High: none" counts findings, it states none
  const other = tryParseSeverity(second.exec(rest)?.[1] ?? "");
  return { level: other ? moreSevere(level, other) : level, rest };
}

/** "🔴 High: …" */
const withoutPictures = (line: string): string =>
  line.charCodeAt(0) > 0x7f ? line.replace(/^[\p{Extended_Pictographic}\s]+(?=\D)/u, "") : line;

/** `| 1 | **High** | a.ts:1 | … |` without its outer bars and number; emphasis is gone already. */
const tableRow = (line: string): string =>
  line.replace(/^\|\s*(?:#?\d{1,4}\s*\|\s*)?/, "").replace(/\s*\|$/, "");

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
