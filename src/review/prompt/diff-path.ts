import type { DiffFile } from "./diff-file.ts";

/** The path that a file's part of a diff is about, after the change; of a deleted file, the only one. */
export function diffFilePath({ header }: Pick<DiffFile, "header">): string {
  const lines = header.map((line) => line.replace(/\r?\n$/, ""));
  for (const start of ["rename to ", "copy to "]) {
    const name = lines.find((line) => line.startsWith(start))?.slice(start.length);
    if (name !== undefined) return unquotedPath(name);
  }
  for (const start of ["+++ ", "--- "]) {
    const name = lines.find((line) => line.startsWith(start))?.slice(start.length);
    // git marks with a tab where a name with blanks ends
    if (name !== undefined && name !== "/dev/null")
      return withoutPrefix(unquotedPath(name.replace(/\t$/, "")));
  }
  // Binary and empty files have their name in the first line only, twice.
  const both = (lines[0] ?? "").replace(/^diff --git /, "");
  return withoutPrefix(unquotedPath(both.slice(Math.ceil(both.length / 2))));
}

const withoutPrefix = (name: string): string => name.replace(/^[ab]\//, "");

/** git quotes unusual names as C strings. */
export function unquotedPath(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes: number[] = [];
  for (const [, code, char] of name.slice(1, -1).matchAll(/\\([abtnvfr"\\]|[0-7]{3})|([^\\])/gu)) {
    if (char !== undefined) bytes.push(...new TextEncoder().encode(char));
    else if (code !== undefined) bytes.push(controls[code] ?? Number.parseInt(code, 8));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const controls: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };
