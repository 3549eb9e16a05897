import type { Finding } from "../../store/schema.ts";
import { tryParseSeverity } from "./severity.ts";

/** The block that we ask reviewers to end with. */
export interface StructuredVerdict {
  verdict: "pass" | "fail" | "unable_to_review";
  summary: string;
  findings: Finding[];
}

export interface SplitReview {
  /** The review without its block. */
  prose: string;
  block?: StructuredVerdict;
  /** The block as it was written. */
  blockText?: string;
}

/**
 * Takes the verdict block off the end of a review. Only the very end counts, and only on a line of its own: any other
 * may be a quotation of the reviewed change. An invalid block is left in the prose.
 */
export function splitReview(output: string): SplitReview {
  const text = output.trimEnd();
  const body = text.replace(/\n[ \t]*(?:`{3,}|~{3,})$/, "").trimEnd();
  const start = startOfLastObject(body);
  const startsLine = body.slice(body.lastIndexOf("\n", start) + 1, start).trim() === "";
  const block = start === -1 || !startsLine ? undefined : tryParseBlock(body.slice(start));
  if (!block) return { prose: output };
  const before = body.slice(0, start).trimEnd();
  const lastLine = before.slice(before.lastIndexOf("\n") + 1);
  const isFence = body.length < text.length && /^\s*(?:`{3,}|~{3,})\w*$/.test(lastLine);
  return {
    prose: (isFence ? before.slice(0, -lastLine.length) : before).trimEnd(),
    block,
    blockText: body.slice(start),
  };
}

/** Where the object that ends the text starts: read backwards, so that the prose before it cannot confuse. */
function startOfLastObject(text: string): number {
  if (!text.endsWith("}")) return -1;
  let depth = 0;
  let inString = false;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at];
    if (char === '"') {
      let escapes = 0;
      while (text[at - 1 - escapes] === "\\") escapes++;
      if (!inString || escapes % 2 === 0) inString = !inString;
      at -= escapes;
    } else if (inString) {
      if (char === "\n") return -1; // JSON has no line break in a string: this is not ours
    } else if (char === "}") depth++;
    else if (char === "{" && --depth === 0) return at;
  }
  return -1;
}

function tryParseBlock(text: string): StructuredVerdict | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || value.schema_version !== 2) return undefined;
  const { verdict, summary = "", findings } = value;
  if (verdict !== "pass" && verdict !== "fail" && verdict !== "unable_to_review") return undefined;
  if (typeof summary !== "string") return undefined;
  if (verdict === "unable_to_review") return { verdict, summary, findings: [] };
  if (!Array.isArray(findings)) return undefined;
  const parsed = findings.map(tryParseFinding);
  return parsed.every((finding) => finding !== undefined)
    ? { verdict, summary, findings: parsed }
    : undefined;
}

function tryParseFinding(value: unknown): Finding | undefined {
  if (!isRecord(value) || typeof value.severity !== "string" || typeof value.problem !== "string")
    return undefined;
  const severity = tryParseSeverity(value.severity);
  const problem = value.problem.trim();
  if (!severity || problem === "") return undefined;
  const location = optionalText(value.location);
  const fix = optionalText(value.fix);
  return { severity, problem, ...(location && { location }), ...(fix && { fix }) };
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() || undefined : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no block then; the prose is read instead
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
