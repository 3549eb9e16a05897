import type { Finding, Severity } from "../../store/schema.ts";
import { type SeverityLabel, severityLabels } from "./label.ts";
import { bareLine, reviewLines } from "./line.ts";

const maxFindings = 1000;
const maxFieldLength = 8000;

type Field = "location" | "problem" | "fix";
const fieldNames: Record<string, Field> = {
  location: "location",
  file: "location",
  where: "location",
  problem: "problem",
  issue: "problem",
  description: "problem",
  fix: "fix",
  "suggested fix": "fix",
  suggestion: "fix",
  recommendation: "fix",
};

/** A finding while its lines are read. */
interface Draft {
  severity: Severity;
  /** What stood behind the label, or in the heading above it. */
  lead: string;
  fields: Partial<Record<Field, string>>;
  /** Lines that belong to no field. */
  loose: string;
  /** Where the next plain line goes. */
  open: Field | "loose";
}

/**
 * The findings of a review written as prose, one for each severity label, with what can be recognised of
 * location, problem and fix. Its first thousand; the verdict itself counts all labels.
 */
export function proseFindings(output: string): Finding[] {
  const lines = reviewLines(output);
  const labels = new Map(
    severityLabels(lines.map((line) => line.text))
      .slice(0, maxFindings)
      .map((label) => [label.index, label]),
  );
  const drafts: Draft[] = [];
  let draft: Draft | undefined;
  let title = "";
  let early: Draft["fields"] = {};
  for (const [index, line] of lines.entries()) {
    const label = labels.get(index);
    const bare = bareLine(line.text);
    if (label) {
      draft = startDraft(label, title, early);
      drafts.push(draft);
      title = "";
      early = {};
    } else if (!line.fenced && isDivider(line.text)) {
      draft = undefined;
      title = headingText(line.text, bare);
    } else {
      const field = readField(bare);
      // A location after a location, or outside a finding, belongs to the finding whose label comes next.
      if (field && (!draft || draft.fields[field.name] !== undefined)) early[field.name] = field.text;
      else if (draft) addLine(draft, field, line.text);
    }
  }
  return drafts.map(finishDraft);
}

function startDraft(label: SeverityLabel, title: string, early: Draft["fields"]): Draft {
  // "Severity: Low; Location: a.ts:3; Problem: …" on one line.
  const [lead = "", ...rest] = label.rest.slice(0, maxFieldLength).split(/;\s+|\s\|\s/);
  const draft: Draft = {
    severity: label.level,
    lead: readField(lead.trim()) ? "" : lead.trim() || title,
    fields: { ...early },
    loose: "",
    open: "loose",
  };
  for (const part of readField(lead.trim()) ? [lead, ...rest] : rest) {
    const field = readField(part.trim());
    if (field) draft.fields[field.name] ??= field.text;
    else draft.lead = join(draft.lead, part.trim(), "; ");
  }
  return draft;
}

function addLine(draft: Draft, field: { name: Field; text: string } | undefined, line: string): void {
  if (field) {
    draft.fields[field.name] = field.text;
    draft.open = field.name;
  } else if (draft.open === "loose") draft.loose = join(draft.loose, line, "\n");
  else draft.fields[draft.open] = join(draft.fields[draft.open] ?? "", line, "\n");
}

function finishDraft(draft: Draft): Finding {
  const told = [draft.lead, draft.loose.trim()].filter((part) => part !== "").join("\n");
  const problem = draft.fields.problem?.trim() || told || "See the text of the review.";
  const location = draft.fields.location?.trim().replaceAll("`", "") || locationIn(draft.lead);
  const fix = draft.fields.fix?.trim();
  return { severity: draft.severity, problem, ...(location && { location }), ...(fix && { fix }) };
}

function readField(bare: string): { name: Field; text: string } | undefined {
  const colon = bare.slice(0, 32).indexOf(":");
  const name = colon === -1 ? undefined : fieldNames[bare.slice(0, colon).trim().toLowerCase()];
  return name && { name, text: bare.slice(colon + 1, colon + 1 + maxFieldLength).trim() };
}

/** A rule or a heading ends a finding. */
function isDivider(line: string): boolean {
  return /^\s{0,3}(?:#{1,6}\s|(?:-{3,}|\*{3,}|_{3,})\s*$)/.test(line);
}

function headingText(line: string, bare: string): string {
  const generic =
    /^(?:review findings|findings|review|summary|issues|verdict|critical|high|medium|low)\b[^\p{L}]*$/iu;
  return line.trim().startsWith("#") && !generic.test(bare.slice(0, 64)) ? bare.slice(0, maxFieldLength) : "";
}

/** `src/a.ts:12` in a line of prose. */
function locationIn(text: string): string | undefined {
  for (const word of text.slice(0, 2000).split(/[\s`'"()[\],]+/)) {
    const colon = word.indexOf(":");
    const line = /^\d+(?:[-:]\d+)?/.exec(word.slice(colon + 1))?.[0];
    const path = word.slice(0, Math.max(0, colon));
    if (line && /[./]/.test(path)) return `${path}:${line}`;
  }
  return undefined;
}

/** Joins while there is room; what no longer fits is still in the review itself. */
function join(text: string, more: string, glue: string): string {
  if (text.length >= maxFieldLength) return text;
  return (text === "" ? more : `${text}${glue}${more}`).slice(0, maxFieldLength);
}
