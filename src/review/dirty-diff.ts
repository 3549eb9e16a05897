import type { Diff } from "../git/diff.ts";
import { type DiffFile, parseDiff } from "./prompt/diff-file.ts";
import { diffFilePath } from "./prompt/diff-path.ts";

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
    path: diffFilePath(file),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    binary: file.header.some((line) => /^(Binary files |GIT binary patch)/.test(line)),
  };
}
