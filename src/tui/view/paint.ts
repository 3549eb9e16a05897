import { singleLine } from "../../lib/text.ts";

export type Style = "bold" | "dim" | "inverse" | "red" | "green" | "yellow" | "blue" | "cyan";

const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
};

/** How the terminal may be painted. */
export interface Palette {
  colour: boolean;
  /** Its background. */
  isLight: boolean;
}

export type Paint = (style: Style, text: string) => string;

/** Yellow and cyan cannot be read on white. */
const onLight: Partial<Record<Style, Style>> = { yellow: "red", cyan: "blue" };

export function painter({ colour, isLight }: Palette): Paint {
  return (style, text) => {
    // Without colour the selected row still has to stand out.
    if (!colour) return style === "inverse" ? `\x1b[7m${text}\x1b[27m` : text;
    const [on, off] = codes[(isLight && onLight[style]) || style];
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };
}

/** Exactly so many cells wide: cut with an ellipsis, or filled with blanks. Text of strangers is cleaned. */
export function cell(text: string, width: number, align: "left" | "right" = "left"): string {
  const cut = cutTo(singleLine(text), width);
  const blanks = " ".repeat(Math.max(0, width - Bun.stringWidth(cut)));
  return align === "right" ? `${blanks}${cut}` : `${cut}${blanks}`;
}

/** At most so many cells wide; colours within it stay whole. */
export function cutTo(text: string, width: number): string {
  if (width <= 0) return "";
  return Bun.stringWidth(text) <= width ? text : Bun.sliceAnsi(text, 0, width, "…");
}

/** Lines at most so many cells wide; where a line goes on, it begins with its next word. */
export function wrapLine(line: string, width: number): string[] {
  const [first = "", ...rest] = Bun.wrapAnsi(line, Math.max(1, width), { hard: true, trim: false }).split(
    "\n",
  );
  return [first, ...rest.map((part) => part.replace(/^ /, ""))];
}
