import type { KeyPress } from "../message.ts";
import { clampScroll } from "../view/page.ts";

/** Where a text of so many lines begins after a key, on a screen of so many rows; undefined where the key scrolls nothing. */
export function scrolledTo(
  { name, text, ctrl }: KeyPress,
  from: number,
  lines: number,
  rows: number,
): number | undefined {
  const to = (line: number) => clampScroll(line, lines, rows);
  if (name === "up" || text === "k") return to(from - 1);
  if (name === "down" || text === "j") return to(from + 1);
  if (name === "pageUp" || (ctrl && text === "b")) return to(from - rows);
  if (name === "pageDown" || text === " ") return to(from + rows);
  if (name === "home" || text === "g") return 0;
  if (name === "end" || text === "G") return to(lines);
  return undefined;
}
