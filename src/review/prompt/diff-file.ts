/** A run of changed lines with its context. Lines keep their line ends. */
export interface DiffHunk {
  /** The `@@ … @@` line. */
  header: string;
  oldStart: number;
  newStart: number;
  /** What git put behind the second `@@`. */
  heading: string;
  lines: string[];
}

/** What a diff says about one file. Joining all parts of all files gives the diff again, byte for byte. */
export interface DiffFile {
  /** Everything before the first hunk. */
  header: string[];
  hunks: DiffHunk[];
}

/**
 * Takes a unified diff apart. Headers are told from content by the line counts of the hunk, never by how a line
 * looks: a removed line `-- x` reads `--- x`. Text that is no diff ends up in a header; nothing is lost.
 */
export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | undefined;
  let hunk: DiffHunk | undefined;
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of splitLines(text)) {
    if (hunk && (oldLeft > 0 || newLeft > 0) && /^[-+ \n\r]/.test(line)) {
      if (!line.startsWith("+")) oldLeft--;
      if (!line.startsWith("-")) newLeft--;
      hunk.lines.push(line);
      continue;
    }
    const opened = tryParseHunkHeader(line);
    if (line.startsWith("\\") && hunk) hunk.lines.push(line);
    else if (opened && file) {
      ({ hunk, oldLeft, newLeft } = opened);
      file.hunks.push(hunk);
    } else if (!file || /^diff --(?:git|cc|combined) /.test(line)) {
      file = { header: [line], hunks: [] };
      files.push(file);
      hunk = undefined;
    } else {
      oldLeft = newLeft = 0;
      (hunk?.lines ?? file.header).push(line);
    }
  }
  return files;
}

/** The whole text of one file's part. */
export function diffFileText(file: DiffFile): string {
  return file.header.join("") + file.hunks.map(hunkText).join("");
}

export const hunkText = (hunk: DiffHunk): string => hunk.header + hunk.lines.join("");

/** Added and removed lines of a diff, without their sign and line end. */
export function changedLines(text: string): string[] {
  const lines = parseDiff(text).flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines));
  return lines.filter((line) => /^[-+]/.test(line)).map((line) => line.slice(1).replace(/\r?\n$/, ""));
}

function tryParseHunkHeader(line: string) {
  const match = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@([^\n]*)/.exec(line);
  if (!match) return undefined;
  const [, oldStart, oldCount = "1", newStart, newCount = "1", heading = ""] = match;
  const hunk: DiffHunk = {
    header: line,
    oldStart: Number(oldStart),
    newStart: Number(newStart),
    heading,
    lines: [],
  };
  return { hunk, oldLeft: Number(oldCount), newLeft: Number(newCount) };
}

/** Lines with their line ends. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return lines;
}
