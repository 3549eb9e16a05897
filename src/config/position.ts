import { parse } from "smol-toml";

export interface Position {
  line: number;
  column: number;
}

const maxCandidates = 32;

/**
 * Where a key is set, counted from 1. smol-toml tells positions of syntax errors only, so each line that could set
 * the key is put to the test: the text above it must be a complete document, to which this key can be added.
 * Undefined for spellings that this cannot tell apart (inline tables).
 */
export function locateKey(text: string, path: string[]): Position | undefined {
  const key = path.at(-1);
  if (key === undefined) return undefined;
  const lines = text.split("\n");
  const name = `(["']?)${key.replace(/[^\w]/g, "\\$&")}\\1`;
  const spelling = new RegExp(`^\\s*(?:[\\w"'-]+\\s*\\.\\s*)*${name}\\s*=`);
  const table = new RegExp(`^\\s*\\[+\\s*${name}\\s*[\\].]`);
  let tried = 0;
  for (const [index, line] of lines.entries()) {
    const sets = spelling.exec(line)?.[0];
    if (sets === undefined && !(path.length === 1 && table.test(line))) continue;
    if (++tried > maxCandidates) return undefined;
    const above = lines.slice(0, index).join("\n");
    if (isSetBy(`${above}\n${sets === undefined ? line : `${sets} 0`}\n`, path) && !isSetBy(above, path)) {
      return { line: index + 1, column: line.search(/\S/) + 1 };
    }
  }
  return undefined;
}

/** Where the table of this index in an array of tables begins: its line `[[key]]`. */
export function locateTable(text: string, key: string, index: number): Position | undefined {
  const header = new RegExp(`^\\s*\\[\\[\\s*(["']?)${key}\\1\\s*\\]\\]`);
  const lines = text.split("\n");
  const candidates = [...lines.keys()]
    .filter((at) => header.test(lines[at] as string))
    .slice(0, maxCandidates);
  for (const at of candidates) {
    if (countOf(`${lines.slice(0, at).join("\n")}\n[[${key}]]\n`, key) !== index + 1) continue;
    return { line: at + 1, column: (lines[at] as string).search(/\S/) + 1 };
  }
  return undefined;
}

function countOf(text: string, key: string): number {
  try {
    const value = parse(text)[key];
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0; // the line is part of a string
  }
}

function isSetBy(text: string, path: string[]): boolean {
  let node: unknown;
  try {
    node = parse(text);
  } catch {
    return false; // the cut went through a value: this line is part of a string
  }
  for (const part of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, part)) return false;
    node = (node as Record<string, unknown>)[part];
  }
  return true;
}
