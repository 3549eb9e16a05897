import type { AST } from "toml-eslint-parser";
import type { Splice } from "./splice.ts";
import type { TomlBody } from "./toml-place.ts";
import { lineStart } from "./toml-style.ts";
import { refusedEdit, type TomlText } from "./toml-text.ts";

/** Removes a key with its line; a comment behind it stays, on a line of its own. */
export function removalOf(document: TomlText, body: TomlBody, pair: AST.TOMLKeyValue): Splice[] {
  if (body.holder.type === "TOMLInlineTable") return inlineRemoval(document, body.holder, pair);
  const { text } = document;
  const [start, end] = pair.range;
  const comment = /^[ \t]*(?=#)/.exec(text.slice(end))?.[0];
  if (comment !== undefined) return [removed(start, end + comment.length)];
  const lineBreak = /^[ \t]*(?:\r?\n)/.exec(text.slice(end))?.[0];
  const first = lineStart(text, start);
  if (lineBreak !== undefined) return [removed(first, end + lineBreak.length)];
  // The last line, without a line end: then the one above has none either.
  const above = /\r?\n$/.exec(text.slice(0, first))?.[0].length ?? 0;
  return [removed(first - above, text.length)];
}

function inlineRemoval(document: TomlText, table: AST.TOMLInlineTable, pair: AST.TOMLKeyValue): Splice[] {
  const [open, close] = table.range;
  refuseLines(document, table);
  const index = table.body.indexOf(pair);
  const previous = table.body[index - 1];
  const next = table.body[index + 1];
  if (next) return [removed(pair.range[0], next.range[0])];
  if (previous) return [removed(previous.range[1], pair.range[1])];
  return [removed(open + 1, close - 1)];
}

/** Commas and comments of an inline table that is spread over lines (TOML 1.1) are not ours to move. */
export function refuseLines(document: TomlText, table: AST.TOMLInlineTable): void {
  const [start, end] = table.range;
  if (document.text.slice(start, end).includes("\n"))
    throw refusedEdit(document, start, "the inline table is spread over several lines");
}

const removed = (start: number, end: number): Splice => ({ offset: start, length: end - start, text: "" });
