import type { KeyPress } from "../message.ts";

/** How far a key moves on a screen of so many rows, without end to the first and the last; undefined where it moves nothing. */
export function stepOf({ name, text, ctrl }: KeyPress, rows: number): number | undefined {
  if (name === "up" || text === "k") return -1;
  if (name === "down" || text === "j") return 1;
  if (name === "pageUp" || (ctrl && text === "b")) return -rows;
  if (name === "pageDown" || text === " ") return rows;
  if (name === "home" || text === "g") return Number.NEGATIVE_INFINITY;
  if (name === "end" || text === "G") return Number.POSITIVE_INFINITY;
  return undefined;
}
