import type { Severity, Verdict } from "../../store/schema.ts";
import { severityLabels } from "./label.ts";
import { type ReviewLine, reviewLines } from "./line.ts";
import { reachesFloor } from "./severity.ts";

export interface PlainVerdict {
  verdict: Verdict;
  /** What decided. `fallback`: nothing did; the text carries no verdict. */
  basis: "label" | "marker" | "pass-line" | "fallback";
  /** Levels of all labels, also below the floor. */
  levels: Severity[];
}

/** What a reviewer answers when nothing at or above the severity floor was found. */
export const thresholdMarker = "SEVERITY_THRESHOLD_MET";

/** Reads the verdict from a review written as prose. Unset floor: every level fails. */
export function parsePlainVerdict(output: string, floor?: Severity): PlainVerdict {
  const lines = reviewLines(output);
  const levels = severityLabels(lines.map((line) => line.text)).map((label) => label.level);
  if (levels.some((level) => reachesFloor(level, floor))) return { verdict: "F", basis: "label", levels };
  if (isMarkerOnly(output)) return { verdict: "P", basis: "marker", levels };
  const stated = lastStatement(lines);
  if (stated === "pass") return { verdict: "P", basis: "pass-line", levels };
  if (levels.length > 0) return { verdict: "P", basis: "label", levels };
  if (stated === "fail") return { verdict: "F", basis: "label", levels };
  return { verdict: "F", basis: "fallback", levels };
}

/** The marker and nothing else but decoration. */
function isMarkerOnly(output: string): boolean {
  const lines = output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(?:```|~~~)\w*\s*$/.test(line));
  if (lines.length !== 1) return false;
  const text = (lines[0] ?? "").trim();
  const start = text.indexOf(thresholdMarker);
  if (start === -1) return false;
  return (
    /^[-*•_`\s]*$/.test(text.slice(0, start)) &&
    /^[*_`.\s]*$/.test(text.slice(start + thresholdMarker.length))
  );
}

/** The verdict that the last line with one states outright. */
function lastStatement(lines: ReviewLine[]): "pass" | "fail" | undefined {
  for (const line of lines.toReversed()) {
    const stated = line.fenced || line.text === "" ? undefined : statement(line.text);
    if (stated) return stated;
  }
  return undefined;
}

const opening = [
  "no issues",
  "no findings",
  "i didn't find any issues",
  "i did not find any issues",
  "i found no issues",
];
// In the middle of a line "no issues" alone says too little ("No issues there. But …").
const sentence = ["no issues found", "no issues were found", ...opening.slice(1)];

function statement(line: string): "pass" | "fail" | undefined {
  const text = line
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replaceAll("**", "")
    .replaceAll("__", "")
    .trim()
    .replace(/^#+/, "")
    .trim()
    .replace(/^(?:[-*•]\s+|\d+[.):]\s*)/, "")
    .replace(/^[*_]/, "");
  const label =
    /^(?:review findings|findings|review result|result|verdict|review)\s*:\s*/.exec(text)?.[0] ?? "";
  const rest = text.slice(label.length);
  if (provisional.test(rest)) return undefined;
  if (/^pass[.!*_]?$/.test(rest) || opening.some((phrase) => rest.startsWith(phrase))) return "pass";
  if (label !== "" && /^fail(?:ed)?[.!*_]?$/.test(rest)) return "fail";
  return hasPassSentence(rest) ? "pass" : undefined;
}

/** What is said before all is read, or instead of reading it. */
const provisional =
  /\bno (?:issues|findings)\b[^.!?;]{0,60}\b(?:so far|yet|(?:could|can) be (?:assessed|determined|verified|checked|evaluated|reviewed))\b/;

/** A whole sentence further on in the line says it, and the line rates nothing. */
function hasPassSentence(text: string): boolean {
  const found = sentence.some((phrase) => startsSentence(text, phrase));
  return found && !rating.test(text);
}

/** The word by itself: a file `docs/severity.md` rates nothing. */
const rating = /(?<![\w./-])severity(?![./-]?\w)|\b(?:critical|high|medium|low)\s*(?:[—–:：|]|- )/;

function startsSentence(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + phrase.length)) {
    if (/[.!?]\s+$/.test(text.slice(Math.max(0, at - 8), at))) return true;
  }
  return false;
}
