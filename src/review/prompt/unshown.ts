import { singleLine } from "../../lib/text.ts";
import { type DiffFile, parseDiff } from "./diff-file.ts";
import { diffFilePath } from "./diff-path.ts";

/** A changed file whose new content no diff shows, and what stands in its place. */
export interface UnshownFile {
  path: string;
  kind: "binary" | "submodule" | "git-lfs";
}

/** Everything in a diff that a reviewer is told to have changed and cannot read. Deletions are told whole. */
export function unshownFiles(diff: string): UnshownFile[] {
  return parseDiff(diff).flatMap((file) => {
    const kind = unshownKind(file);
    return kind === undefined ? [] : [{ path: diffFilePath(file), kind }];
  });
}

/** Whether there is no word of the change in this diff that could be judged. */
export function showsNothing(diff: string): boolean {
  const files = parseDiff(diff);
  return files.length > 0 && files.every((file) => unshownKind(file) !== undefined && !hasText(file));
}

/** `logo.png (binary), lib (submodule)`, on one line, at most `max` of them. */
export function namedUnshown(files: readonly UnshownFile[], max = 5): string {
  const names = files.slice(0, max).map(({ path, kind }) => `${singleLine(path).slice(0, 256)} (${kind})`);
  const rest = files.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function unshownKind(file: DiffFile): UnshownFile["kind"] | undefined {
  if (file.header.some((line) => /^deleted file mode /.test(line))) return undefined;
  if (file.header.some((line) => /^(?:Binary files .* differ|GIT binary patch)\r?\n?$/.test(line)))
    return "binary";
  if (file.header.some((line) => /^(?:index \S+|new file mode) 160000\r?\n?$/.test(line))) return "submodule";
  return isLfsPointer(file) ? "git-lfs" : undefined;
}

const pointerLine =
  /^(?:version https:\/\/git-lfs\.github\.com\/spec\/v1|oid sha256:[0-9a-f]{64}|size \d+|ext-\d-\w+ sha256:[0-9a-f]{64})\r?\n?$/;

/** The new side is a pointer of Git LFS and not one line more: nothing else can pass for one. */
function isLfsPointer(file: DiffFile): boolean {
  const lines = newSide(file);
  return (
    lines.length >= 3 &&
    /^version /.test(lines[0] ?? "") &&
    lines.every((line) => pointerLine.test(line)) &&
    lines.some((line) => line.startsWith("oid "))
  );
}

const newSide = (file: DiffFile) =>
  file.hunks
    .flatMap((hunk) => hunk.lines)
    .filter((line) => /^[+ ]/.test(line))
    .map((line) => line.slice(1));

/** Lines of the old side that are no pointer either: a text file that moved into Git LFS. */
function hasText(file: DiffFile): boolean {
  const removed = file.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith("-"));
  return removed.some((line) => !pointerLine.test(line.slice(1)) && !/^-Subproject commit /.test(line));
}
