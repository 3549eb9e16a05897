export interface ChangedFile {
  /** Path after the change. */
  path: string;
  /** Path before the change, for a rename or a copy. */
  from?: string;
  added: number;
  removed: number;
  binary: boolean;
}

/** Parses `--numstat -z`: `added TAB removed TAB path NUL`, for renames `added TAB removed TAB NUL from NUL to NUL`. */
export function parseNumstat(fields: string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let index = 0; index < fields.length; index++) {
    const match = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(fields[index] ?? "");
    if (!match) continue;
    const [, added = "", removed = "", path = ""] = match;
    const counts = { added: Number(added) || 0, removed: Number(removed) || 0, binary: added === "-" };
    if (path !== "") {
      files.push({ path, ...counts });
      continue;
    }
    files.push({ path: fields[index + 2] ?? "", from: fields[index + 1] ?? "", ...counts });
    index += 2;
  }
  return files;
}

/** All paths that these changes touch, before and after. */
export function touchedPaths(files: ChangedFile[]): Set<string> {
  return new Set(files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
}
