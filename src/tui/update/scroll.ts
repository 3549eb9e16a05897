import type { KeyPress } from "../message.ts";
import { clampScroll } from "../view/page.ts";
import { stepOf } from "./step.ts";

/** Where a text of so many lines begins after a key, on a screen of so many rows; undefined where the key scrolls nothing. */
export function scrolledTo(key: KeyPress, from: number, lines: number, rows: number): number | undefined {
  const step = stepOf(key, rows);
  return step === undefined ? undefined : clampScroll(from + step, lines, rows);
}
