import type { AST } from "toml-eslint-parser";
import type { TomlText } from "./toml-text.ts";

export type TomlPath = readonly string[];

/** Pairs that stand in one place: the top of the file, below a `[header]`, or in an inline table. */
export interface TomlBody {
  /** Path of the table whose members they are. */
  prefix: TomlPath;
  pairs: AST.TOMLKeyValue[];
  holder: AST.TOMLTopLevelTable | AST.TOMLTable | AST.TOMLInlineTable;
}

/** Where a key is, or what keeps it from being there. */
export type TomlPlace =
  | { kind: "pair"; pair: AST.TOMLKeyValue; body: TomlBody }
  | { kind: "blocked"; offset: number; reason: string }
  | { kind: "absent" };

export function placeOf(document: TomlText, path: TomlPath): TomlPlace {
  for (const table of tablesOf(document)) {
    const names = namesOf(table.key);
    const offset = table.range[0];
    if (table.kind === "array" && startsWith(path, names))
      return { kind: "blocked", offset, reason: `${names.join(".")} is a list of tables` };
    if (startsWith(names, path)) return { kind: "blocked", offset, reason: `${path.join(".")} is a table` };
  }
  for (const body of bodiesOf(document)) {
    for (const pair of body.pairs) {
      const full = fullPath(body, pair);
      const offset = pair.range[0];
      if (full.length === path.length && startsWith(full, path)) {
        if (pair.value.type !== "TOMLInlineTable") return { kind: "pair", pair, body };
        return { kind: "blocked", offset, reason: `${path.join(".")} is a table` };
      }
      if (startsWith(full, path)) return { kind: "blocked", offset, reason: `${path.join(".")} is a table` };
      if (startsWith(path, full) && pair.value.type !== "TOMLInlineTable")
        return { kind: "blocked", offset, reason: `${full.join(".")} is not a table` };
    }
  }
  return { kind: "absent" };
}

/** Every body that a path without list positions leads to, inline tables behind the body that they stand in. */
export function bodiesOf(document: TomlText): TomlBody[] {
  const top = document.root.body.filter((node) => node.type === "TOMLKeyValue");
  const bodies: TomlBody[] = [{ prefix: [], pairs: top, holder: document.root }];
  for (const table of tablesOf(document)) {
    if (isPlain(table))
      bodies.push({ prefix: table.resolvedKey.map(String), pairs: table.body, holder: table });
  }
  return bodies.flatMap((body) => [body, ...inlineBodies(body)]);
}

function inlineBodies(body: TomlBody): TomlBody[] {
  return body.pairs.flatMap((pair) => {
    if (pair.value.type !== "TOMLInlineTable") return [];
    const inner: TomlBody = { prefix: fullPath(body, pair), pairs: pair.value.body, holder: pair.value };
    return [inner, ...inlineBodies(inner)];
  });
}

export const tablesOf = ({ root }: TomlText): AST.TOMLTable[] =>
  root.body.filter((node) => node.type === "TOMLTable");

/** A `[table]` that stands in no list of tables. */
const isPlain = (table: AST.TOMLTable): boolean =>
  table.kind === "standard" && table.resolvedKey.every((part) => typeof part === "string");

export const namesOf = (key: AST.TOMLKey): string[] =>
  key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));

export const fullPath = (body: TomlBody, pair: AST.TOMLKeyValue): string[] => [
  ...body.prefix,
  ...namesOf(pair.key),
];

export const startsWith = (path: TomlPath, start: TomlPath): boolean =>
  start.length <= path.length && start.every((name, index) => path[index] === name);
