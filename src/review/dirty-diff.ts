import type { Diff } from "../git/diff.ts";
import { type DiffFile, parseDiff } from "./prompt/diff-file.ts";

/** A diff that came as text (of a working tree, from the client) with its files. */
export function dirtyDiffOf(text: string): Diff {
  return {
    text,
    bytes: new TextEncoder().encode(text).length,
    files: parseDiff(text).map(changedFile),
    excludedFiles: [],
    isMerge: false,
  };
}

function changedFile(file: DiffFile): Diff["files"][number] {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  return {
    path: pathOf(file.header),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    binary: file.header.some((line) => /^(Binary files |GIT binary patch)/.test(line)),
  };
}

/** The new name, else the old one; of a binary or empty file only the first line names it. */
function pathOf(header: string[]): string {
  for (const sign of ["+++ ", "--- "]) {
    const line = header
      .find((candidate) => candidate.startsWith(sign))
      ?.slice(sign.length)
      .trimEnd();
    if (line !== undefined && line !== "/dev/null") return withoutPrefix(line);
  }
  const first = (header[0] ?? "").replace(/^diff --git /, "").trimEnd();
  return withoutPrefix(first.slice(first.length / 2).trimStart());
}

const withoutPrefix = (name: string): string => name.replace(/^"?[ab]\//, "").replace(/"$/, "");
