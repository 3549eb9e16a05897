import { plural } from "../../lib/text.ts";
import type { Finding, Severity, Verdict } from "../../store/schema.ts";
import { doubtOf } from "./doubt.ts";
import { type ChangeNames, isLarge, namesChange } from "./evidence.ts";
import { severityLabels } from "./label.ts";
import { bareLine, reviewLines } from "./line.ts";
import { parsePlainVerdict } from "./plain.ts";
import { proseFindings } from "./prose-findings.ts";
import { reachesFloor } from "./severity.ts";
import { type StructuredVerdict, splitReview } from "./structured.ts";

export interface VerdictContext {
  /** Findings below it do not fail a review. Unset: every finding does. */
  floor?: Severity;
  /** Added and removed lines of the reviewed change. */
  changedLines: number;
  /** Characters in them: a whole program may stand on one line. */
  changedLength?: number;
  names: ChangeNames;
  /** Whether somebody wrote this text into the change: then it is not the reviewer's own. */
  isOfChange?(text: string): boolean;
}

export interface VerdictFound {
  kind: "verdict";
  verdict: Verdict;
  /** What decided. */
  basis: "structured" | "label" | "marker" | "pass-line";
  /** All findings, those below the floor as well. */
  findings: Finding[];
  levels: Severity[];
}

/** The text is no usable review: neither a pass nor a failed review. */
export interface VerdictMissing {
  kind: "none";
  cause: "empty" | "fallback" | "unable" | "evidence" | "contradiction" | "snapshot";
  /** One line, for the job's error. */
  reason: string;
}

export type VerdictResult = VerdictFound | VerdictMissing;

/** Reads the verdict of a review: from the block at its end or, where there is none, from its prose. */
export function readVerdict(output: string, context: VerdictContext): VerdictResult {
  if (output.trim() === "") return missing("empty", "the reviewer answered nothing");
  const { prose, block, blockText } = splitReview(output);
  const found = block ? fromBlock(block, prose, context) : fromProse(prose, context);
  if (found.kind === "none" || found.verdict === "F") return found;
  const unable = unableReason(prose) ?? unableReason(block?.summary ?? "");
  if (unable !== undefined) return missing("unable", unable);
  if (blockText !== undefined && context.isOfChange?.(blockText))
    return missing("contradiction", "the verdict block stands word for word in the change itself");
  const doubt = doubtOf(prose, block?.summary, context.floor);
  if (doubt) return missing(doubt.cause, doubt.reason);
  const text = block ? [prose, block.summary, ...block.findings.map(findingText)].join("\n") : prose;
  if (isLarge(context) && !namesChange(text, context.names)) {
    return missing(
      "evidence",
      `the review passes ${plural(context.changedLines, "changed line")} without naming a file or symbol of them`,
    );
  }
  return found;
}

/** One verdict for the parts of a change that was reviewed in parts: each part must have one. */
export function combineVerdicts(parts: VerdictResult[]): VerdictResult {
  const found: VerdictFound[] = [];
  for (const part of parts) {
    if (part.kind === "none") return part;
    found.push(part);
  }
  const deciding = found.find((part) => part.verdict === "F") ?? found[0];
  if (!deciding) return missing("empty", "the reviewer answered nothing");
  return {
    ...deciding,
    findings: found.flatMap((part) => part.findings),
    levels: found.flatMap((part) => part.levels),
  };
}

function fromBlock(block: StructuredVerdict, prose: string, context: VerdictContext): VerdictResult {
  const { findings } = block;
  if (block.verdict === "unable_to_review") {
    const reason = oneLine(unableReason(prose) || block.summary) || "the reviewer gave no reason";
    return missing("unable", reason);
  }
  if (block.verdict === "fail" && findings.length === 0) {
    const plain = fromProse(prose, context);
    if (plain.kind === "verdict" && plain.verdict === "F") return plain;
    return missing("contradiction", "the verdict block says fail and lists no finding");
  }
  const levels = findings.map((finding) => finding.severity);
  const verdict = levels.some((level) => reachesFloor(level, context.floor)) ? "F" : "P";
  // A reviewer that ends by quoting a block of the change must not pass it with that.
  if (verdict === "P" && statesFinding(prose, context))
    return missing(
      "contradiction",
      "the text of the review states a finding, and the block at its end passes",
    );
  return { kind: "verdict", verdict, basis: "structured", findings, levels };
}

function fromProse(prose: string, context: VerdictContext): VerdictResult {
  const { verdict, basis, levels } = parsePlainVerdict(prose, context.floor);
  if (basis !== "fallback")
    return { kind: "verdict", verdict, basis, findings: proseFindings(prose), levels };
  const unable = unableReason(prose);
  if (unable !== undefined) return missing("unable", unable);
  return missing("fallback", "the review states neither a finding nor that there is none");
}

/** A severity label at or above the floor that stands in the reviewer's own words. */
function statesFinding(prose: string, { floor }: VerdictContext): boolean {
  const own = reviewLines(prose).map((line) => (line.fenced ? "" : line.text));
  return severityLabels(own).some((label) => reachesFloor(label.level, floor));
}

/** What follows `UNABLE TO REVIEW:` on a line of its own. */
function unableReason(prose: string): string | undefined {
  for (const line of reviewLines(prose)) {
    if (line.fenced) continue;
    const bare = bareLine(line.text);
    const match = /^(?:verdict:\s*)?unable to review\s*(?:[:.—–-]|$)/i.exec(bare);
    if (match) return oneLine(bare.slice(match[0].length)) || "the reviewer gave no reason";
  }
  return undefined;
}

const findingText = (finding: Finding) => `${finding.location ?? ""} ${finding.problem}`;
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 300);
const missing = (cause: VerdictMissing["cause"], reason: string): VerdictMissing => ({
  kind: "none",
  cause,
  reason,
});
