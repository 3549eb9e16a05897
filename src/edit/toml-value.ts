import type { AST } from "toml-eslint-parser";
import type { Splice } from "./splice.ts";
import type { TomlValue } from "./toml.ts";
import { lineEnd, lineIndent, renderString, startsLine, type TomlStyle } from "./toml-style.ts";
import type { TomlText } from "./toml-text.ts";

export function renderValue(document: TomlText, value: TomlValue, style: TomlStyle): string {
  if (typeof value === "string") return renderString(document, value, style);
  return typeof value === "object" ? renderList(document, value, style) : String(value);
}

/** Spread over lines where the old one was, quoted like its first element. */
function renderList(document: TomlText, values: readonly string[], style: TomlStyle): string {
  const array = style.old?.type === "TOMLArray" ? style.old : undefined;
  const items = rendered(document, values, array?.elements[0]);
  const layout = array && !style.inline ? layoutOf(document, array) : undefined;
  if (array === undefined || layout === undefined || items.length === 0) return `[${items.join(", ")}]`;
  const { eol, indent, hasComma } = layout;
  const outer = lineIndent(document.text, array.range[1] - 1);
  return `[${eol}${indent}${items.join(`,${eol}${indent}`)}${hasComma ? "," : ""}${eol}${outer}]`;
}

/** Adds elements behind the last one of a list that has some; whatever stands between the others stays. */
export function appendOf(document: TomlText, array: AST.TOMLArray, values: readonly string[]): Splice[] {
  const { text } = document;
  const last = array.elements.at(-1) as AST.TOMLContentNode;
  const items = rendered(document, values, last);
  const at = last.range[1];
  const layout = layoutOf(document, array);
  if (layout === undefined)
    return [{ offset: at, length: 0, text: items.map((item) => `, ${item}`).join("") }];
  const { eol, indent, hasComma } = layout;
  const lines = items.map((item) => `${eol}${indent}${item}`).join(",");
  const rest = /^[ \t]*,?[ \t]*(?:#[^\r\n]*)?(?=\r?\n)/.exec(text.slice(at, array.range[1]))?.[0];
  // The bracket closes on the same line: nothing but a comma can stand between.
  if (rest === undefined) return [{ offset: at, length: 0, text: `,${lines}` }];
  const added = { offset: at + rest.length, length: 0, text: `${lines}${hasComma ? "," : ""}` };
  return hasComma ? [added] : [{ offset: at, length: 0, text: "," }, added];
}

const rendered = (document: TomlText, values: readonly string[], old: AST.TOMLContentNode | undefined) =>
  values.map((value) => renderString(document, value, { inline: true, ...(old ? { old } : {}) }));

/** How a list is spread over lines, its last element on a line of its own; undefined for one that is not. */
function layoutOf(document: TomlText, array: AST.TOMLArray) {
  const { text } = document;
  const last = array.elements.at(-1);
  if (!last || !startsLine(text, last.range[0])) return undefined;
  return {
    eol: lineEnd(document),
    indent: lineIndent(text, last.range[0]),
    hasComma: /^\s*,/.test(text.slice(last.range[1], array.range[1])),
  };
}
