import { lineIndent, startsLine } from "./json-trivia.ts";
import { endOf, type JsonValue, membersOf, type TextNode } from "./tree.ts";

/** How a document is written, so that what is added looks like its neighbours. */
export interface JsonStyle {
  eol: string;
  /** One level of indentation. */
  unit: string;
  /** Everything stands on one line. */
  inline: boolean;
  colon: string;
  /** Between values on one line. */
  comma: string;
}

export function styleOf(text: string, root: TextNode | undefined): JsonStyle {
  const inline =
    root !== undefined &&
    (root.children ?? []).length > 0 &&
    !/[\r\n]/.test(text.slice(root.offset, endOf(root)));
  const compact = inline && !/[:,] /.test(withoutStrings(text));
  return {
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? "\n",
    unit: (root && unitOf(text, root)) ?? "  ",
    inline,
    colon: compact ? ":" : (firstColon(text, root) ?? ": "),
    comma: compact ? "," : ", ",
  };
}

const withoutStrings = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');

/** Indentation of the first child that starts a line, beyond that of its container. */
function unitOf(text: string, node: TextNode): string | undefined {
  const first = node.type === "property" ? undefined : node.children?.[0];
  if (first && startsLine(text, first.offset)) {
    const outer = lineIndent(text, node.offset);
    const inner = lineIndent(text, first.offset);
    if (inner.startsWith(outer)) return inner.slice(outer.length);
  }
  for (const child of node.children ?? []) {
    const unit = unitOf(text, child);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** What stands between key and value of the first member, where that is only white space around a colon. */
function firstColon(text: string, root: TextNode | undefined): string | undefined {
  const [first] = membersOf(root);
  const key = first?.property.children?.[0];
  if (!first || !key) return undefined;
  const between = text.slice(endOf(key), first.value.offset);
  return /^ *: *$/.test(between) ? between : undefined;
}

/** `value` as text whose first line follows what already stands on a line indented by `indent`. */
export function render(value: JsonValue, style: JsonStyle, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent + style.unit;
  const items = childTexts(value, style, (child) => render(child, style, inner));
  const [open, close] = brackets(value);
  if (items.length === 0) return open + close;
  return `${open}${style.eol}${inner}${items.join(`,${style.eol}${inner}`)}${style.eol}${indent}${close}`;
}

/** `value` on one line. */
export function renderInline(value: JsonValue, style: JsonStyle): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = brackets(value);
  return open + childTexts(value, style, (child) => renderInline(child, style)).join(style.comma) + close;
}

const brackets = (value: object) => (Array.isArray(value) ? ["[", "]"] : ["{", "}"]) as [string, string];

function childTexts(
  value: JsonValue[] | { [key: string]: JsonValue },
  style: JsonStyle,
  text: (v: JsonValue) => string,
) {
  if (Array.isArray(value)) return value.map(text);
  return Object.entries(value).map(([key, child]) => JSON.stringify(key) + style.colon + text(child));
}
