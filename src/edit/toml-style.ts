import type { AST } from "toml-eslint-parser";
import type { TomlText } from "./toml-text.ts";

/** How a value may be written in its place. */
export interface TomlStyle {
  /** What stands there now; its quotes and its line breaks are kept where they can be. */
  old?: AST.TOMLContentNode;
  /** On one line, as in an inline table. */
  inline?: boolean;
}

export const renderKey = (path: readonly string[]): string =>
  path.map((name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : basic(name))).join(".");

export function renderString(document: TomlText, value: string, { old, inline }: TomlStyle): string {
  const was = old?.type === "TOMLValue" && old.kind === "string" ? old : undefined;
  // Line ends in a multi-line string are those of the file, and a reader may take them as they are.
  const spansLines = value.includes("\n") && !value.includes("\r") && lineEnd(document) === "\n";
  const keepsEscapes = was !== undefined && !was.multiline && was.value.includes("\n");
  const prefersLiteral = was?.style === "literal";
  if (spansLines && !inline && !keepsEscapes) {
    if (prefersLiteral && !/'''|'$|[^\t\n\x20-\x7e\x80-\u{10ffff}]/u.test(value)) return `'''\n${value}'''`;
    return `"""\n${multiLine(value)}"""`;
  }
  if (prefersLiteral && !/['\n]|[^\t\x20-\x7e\x80-\u{10ffff}]/u.test(value)) return `'${value}'`;
  return basic(value);
}

/** A TOML basic string is one of JSON, except that TOML also wants DEL escaped. */
const basic = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** Tabs and single quotes stand for themselves in a multi-line string; a quote before another, or the end, does not. */
function multiLine(text: string): string {
  const escaped = text
    .split("\n")
    .map((line) => basic(line).slice(1, -1))
    .join("\n");
  return escaped.replace(/\\(.)/g, (whole, char: string, at: number) => {
    if (char === "t") return "\t";
    const next = escaped.slice(at + 2);
    return char === '"' && next !== "" && !next.startsWith('\\"') ? '"' : whole;
  });
}

export const lineEnd = ({ text }: TomlText): string => /\r?\n/.exec(text)?.[0] ?? "\n";

export const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;

/** The white space that the line of `offset` begins with. */
export const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";

export const startsLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === "";
