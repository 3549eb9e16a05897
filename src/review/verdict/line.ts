import { safeMultiline } from "../../lib/text.ts";

export interface ReviewLine {
  text: string;
  /** Inside a code fence: quoted material, in which the reviewer states nothing. */
  fenced: boolean;
}

/** The lines of a review. A fence around the whole review is packaging, not a quotation. */
export function reviewLines(output: string): ReviewLine[] {
  const lines = unwrapFence(safeMultiline(output).split("\n"));
  let fence = "";
  return lines.map((text) => {
    const run = fenceRun(text);
    if (fence === "") {
      fence = run;
      return { text, fenced: run !== "" };
    }
    if (run.startsWith(fence) && text.trim() === run) fence = "";
    return { text, fenced: true };
  });
}

/** A line without list marker, heading marks and emphasis. */
export function bareLine(line: string): string {
  if (line === "") return "";
  const text = stripListMarker(line.trim())
    .replace(/^#+/, "")
    .replaceAll("**", "")
    .replaceAll("__", "")
    .trim();
  return stripListMarker(text).trim();
}

function stripListMarker(text: string): string {
  return /^[-*•0-9]/.test(text) ? text.replace(/^[-*•0-9.) ]+/, "") : text;
}

/** The run of three or more backticks or tildes that opens or closes a block, else "". */
function fenceRun(line: string): string {
  const run = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
  // A backtick further on makes it inline code: https://spec.commonmark.org/0.31.2/#fenced-code-blocks
  return run.startsWith("`") && line.includes("`", line.indexOf(run) + run.length) ? "" : run;
}

function unwrapFence(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (first === -1 || first === last) return lines;
  const open = fenceRun(lines[first] ?? "");
  if (open === "" || (lines[last] ?? "").trim() !== open) return lines;
  const inner = lines.slice(first + 1, last);
  return inner.some((line) => fenceRun(line).startsWith(open)) ? lines : inner;
}
