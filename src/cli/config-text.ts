import type { ConfigValue } from "../config/masked.ts";
import type { ConfigOrigin, ConfigRow } from "../config/origins.ts";
import { quotedLine, singleLine } from "../lib/text.ts";

/** Longer values are cut: guidelines would fill the screen. */
const maxValueWidth = 60;
/** Longer origins push their own line only. */
const maxOriginWidth = 40;

export interface ConfigText {
  lines: string[];
  /** Some values are not whole. */
  isCut: boolean;
}

/** `key = value` of each row, values as TOML writes them; with `showOrigin` behind who set it. */
export function configText(rows: readonly ConfigRow[], { showOrigin }: { showOrigin: boolean }): ConfigText {
  const origins = rows.map(({ origin }) => (showOrigin ? originText(origin) : ""));
  const width = Math.max(
    0,
    ...origins.map((text) => Bun.stringWidth(text)).filter((columns) => columns <= maxOriginWidth),
  );
  let isCut = false;
  const lines = rows.map(({ key, value }, index) => {
    const origin = origins[index] as string;
    const shown = cutLiteral(value);
    isCut ||= shown !== literal(value);
    const padding = showOrigin ? " ".repeat(Math.max(0, width - Bun.stringWidth(origin)) + 2) : "";
    return `${origin}${padding}${key} = ${shown}`;
  });
  return { lines, isCut };
}

function originText({ kind, file, variable }: ConfigOrigin): string {
  return singleLine(file ?? variable ?? kind);
}

/** A value as TOML writes it, on one line. */
export function literal(value: ConfigValue): string {
  if (typeof value === "string") return quotedLine(value);
  return Array.isArray(value) ? `[${value.map(quotedLine).join(", ")}]` : String(value);
}

/** The same, not longer than a line of the list is wide. */
export const cutLiteral = (value: ConfigValue): string => cut(literal(value));

function cut(text: string): string {
  if (Bun.stringWidth(text) <= maxValueWidth) return text;
  let width = 0;
  let shown = "";
  for (const char of text) {
    width += Bun.stringWidth(char);
    if (width >= maxValueWidth) break;
    shown += char;
  }
  return `${shown}…`;
}
