import type { AST } from "toml-eslint-parser";
import type { Splice } from "./splice.ts";
import type { TomlValue } from "./toml.ts";
import { bodiesOf, fullPath, startsWith, type TomlBody, type TomlPath, tablesOf } from "./toml-place.ts";
import { refuseLines } from "./toml-removal.ts";
import { lineEnd, lineIndent, lineStart, renderKey } from "./toml-style.ts";
import type { TomlText } from "./toml-text.ts";
import { renderValue } from "./toml-value.ts";

/** Adds a key that is not set: beside its siblings where there are any, else in a new table at the end of the file. */
export function additionOf(document: TomlText, path: TomlPath, value: TomlValue): Splice[] {
  const parent = path.slice(0, -1);
  const body = bodyFor(document, parent);
  if (body === undefined) return [newTable(document, parent, path.at(-1) as string, value)];
  const key = renderKey(path.slice(body.prefix.length));
  if (body.holder.type === "TOMLInlineTable") return [inlineAddition(document, body.holder, key, value)];
  const text = (equals: string) => `${key}${equals}${renderValue(document, value, {})}`;
  const sample = sampleOf(document, body, key);
  if (sample !== undefined)
    return [lineAfter(document, sample, lineIndent(document.text, sample), text(" = "))];
  const siblings = body.pairs.filter((pair) => startsWith(fullPath(body, pair), parent));
  const last = siblings.at(-1);
  if (last) {
    const [start, end] = last.range;
    const equals = document.text.slice(last.key.range[1], last.value.range[0]);
    const indent = lineIndent(document.text, start);
    return [lineAfter(document, end, indent, text(/^[ \t]?=[ \t]?$/.test(equals) ? equals : " = "))];
  }
  if (body.holder.type === "TOMLTable") {
    const [start, end] = body.holder.key.range;
    return [lineAfter(document, end, lineIndent(document.text, start), text(" = "))];
  }
  return [firstLine(document, text(" = "))];
}

/** Where members of `parent` stand: below its header, in its inline table, as dotted keys; undefined for nowhere. */
function bodyFor(document: TomlText, parent: TomlPath): TomlBody | undefined {
  const bodies = bodiesOf(document);
  const own = bodies.find(({ prefix }) => prefix.length === parent.length && startsWith(prefix, parent));
  if (own) return own;
  // Nothing but the inline table itself can add to what it holds.
  const inline = bodies.findLast(
    ({ prefix, holder }) => holder.type === "TOMLInlineTable" && startsWith(parent, prefix),
  );
  return (
    inline ??
    bodies.find(
      (body) =>
        body.prefix.length < parent.length &&
        body.pairs.some((pair) => startsWith(fullPath(body, pair), parent)),
    )
  );
}

/** Offset in a comment like `# key = value`, which waits for just this; undefined unless there is exactly one. */
function sampleOf(document: TomlText, body: TomlBody, key: string): number | undefined {
  const { text, comments } = document;
  const tables = tablesOf(document);
  const start = body.holder.type === "TOMLTable" ? body.holder.range[0] : 0;
  const next = tables.find(({ range }) => range[0] > start || body.holder.type !== "TOMLTable");
  const end = next?.range[0] ?? text.length;
  const samples = comments.filter(
    ({ value, range: [at] }) =>
      start <= at &&
      at < end &&
      value.trimStart().startsWith(key) &&
      /^\s*=/.test(value.trimStart().slice(key.length)) &&
      text.slice(lineStart(text, at), at).trim() === "" &&
      !body.pairs.some(({ range }) => range[0] < at && at < range[1]),
  );
  return samples.length === 1 ? samples[0]?.range[0] : undefined;
}

/** A line of its own behind the one that `offset` is on. */
function lineAfter(document: TomlText, offset: number, indent: string, line: string): Splice {
  const { text } = document;
  const eol = lineEnd(document);
  const at = text.indexOf("\n", offset);
  if (at < 0) return { offset: text.length, length: 0, text: `${eol}${indent}${line}` };
  return { offset: at + 1, length: 0, text: `${indent}${line}${eol}` };
}

/** The first key of a file: in front of the tables and the comments right above them, else behind all comments. */
function firstLine(document: TomlText, line: string): Splice {
  const { text } = document;
  const eol = lineEnd(document);
  const [table] = tablesOf(document);
  if (table === undefined) {
    const lead = text === "" || text.endsWith("\n") ? "" : eol;
    return { offset: text.length, length: 0, text: `${lead}${line}${eol}` };
  }
  let at = lineStart(text, table.range[0]);
  for (;;) {
    const above = lineStart(text, at - 1);
    if (at === 0 || !/^[ \t]*#/.test(text.slice(above, at))) break;
    at = above;
  }
  return { offset: at, length: 0, text: `${line}${eol}${eol}` };
}

function newTable(document: TomlText, parent: TomlPath, name: string, value: TomlValue): Splice {
  const { text } = document;
  const eol = lineEnd(document);
  const separator = text.trim() === "" || /\n[ \t]*\r?\n$/.test(text) ? "" : eol;
  const lead = text === "" || text.endsWith("\n") ? separator : `${eol}${separator}`;
  const line = `${renderKey([name])} = ${renderValue(document, value, {})}`;
  return { offset: text.length, length: 0, text: `${lead}[${renderKey(parent)}]${eol}${line}${eol}` };
}

function inlineAddition(
  document: TomlText,
  table: AST.TOMLInlineTable,
  key: string,
  value: TomlValue,
): Splice {
  refuseLines(document, table);
  const [open, close] = table.range;
  const pair = `${key} = ${renderValue(document, value, { inline: true })}`;
  const last = table.body.at(-1);
  if (last) return { offset: last.range[1], length: 0, text: `, ${pair}` };
  return { offset: open + 1, length: close - open - 2, text: ` ${pair} ` };
}
