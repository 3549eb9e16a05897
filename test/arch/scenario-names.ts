import type { SourceFile } from "./source.ts";

const text = /(["'`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/.source;
/** `test("…"`, `describe.only("…"`, `onLinux("…"` and, behind a table or a condition, `)("…",`. */
const named = new RegExp(`(?:\\b(?:test|describe|on[A-Z]\\w*)(?:\\.\\w+)*\\(|\\)\\()\\s*${text}\\s*,`, "g");

/** Names of the tests in a file; in a transcript its comments. */
function namesIn(file: SourceFile): string[] {
  if (file.path.endsWith(".txt")) return file.text.split("\n").filter((line) => line.startsWith("#"));
  return [...file.text.matchAll(named)].map((match) => match[2] as string);
}

/** Which of these ids are named in which files. */
export function findNamedIds(files: readonly SourceFile[], ids: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const known = new Set(ids);
  for (const file of files) {
    const words = namesIn(file).flatMap((name) => name.match(/\b(?:[A-Z]\d\d|E2E\d\d)\b/g) ?? []);
    for (const id of new Set(words)) {
      if (known.has(id)) found.set(id, [...(found.get(id) ?? []), file.path]);
    }
  }
  return found;
}
