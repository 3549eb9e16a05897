import { changedLines } from "../prompt/diff-file.ts";
import type { ChangeNames } from "./evidence.ts";

const maxIdentifiers = 20_000;
const maxLineLength = 20_000;

export interface ChangeEvidence {
  names: ChangeNames;
  /** Added and removed lines. */
  changedLines: number;
  /** Characters in them. */
  changedLength: number;
}

/** What a review of this diff can name to show that it looked at it. */
export function changeEvidence(diff: { text: string; files: { path: string }[] }): ChangeEvidence {
  const lines = changedLines(diff.text);
  const identifiers = new Set<string>();
  for (const line of lines) {
    if (identifiers.size >= maxIdentifiers) break;
    for (const match of line.slice(0, maxLineLength).matchAll(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu))
      identifiers.add(match[0]);
  }
  return {
    names: { files: diff.files.map((file) => file.path), identifiers: [...identifiers] },
    changedLines: lines.length,
    changedLength: lines.reduce((sum, line) => sum + line.length, 0),
  };
}
