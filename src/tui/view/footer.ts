import type { Model, ScreenKind } from "../model.ts";
import type { Paint } from "./paint.ts";

/** The keys that matter most come first: what does not fit is left out, and `?` lists them all. */
const hints: Record<ScreenKind, readonly string[]> = {
  queue: [
    "↑↓ move",
    "Enter review",
    "? keys",
    "q quit",
    "a close",
    "f filter",
    "h hide closed",
    "l log",
    "p prompt",
    "x cancel",
    "r rerun",
    "c comment",
    "F fix",
    "T fixes",
  ],
  review: [
    "↑↓ scroll",
    "←→ other jobs",
    "a close",
    "c comment",
    "F fix",
    "p prompt",
    "l log",
    "y copy",
    "Esc back",
  ],
  prompt: ["↑↓ scroll", "←→ other jobs", "p review", "y copy", "Esc back"],
  log: ["↑↓ scroll", "g follow or top", "←→ other jobs", "x cancel", "Esc back"],
  filter: ["type to search", "↑↓ move", "→ branches", "Enter choose", "Esc back"],
  comment: ["Enter send", "Ctrl-J new line", "Esc discard"],
  fix: ["Enter have it fixed", "Ctrl-J new line", "Esc discard"],
  tasks: ["↑↓ move", "Enter patch", "A apply", "R make anew", "P review", "l log", "x cancel", "Esc back"],
  patch: ["↑↓ scroll", "A apply", "R make anew", "s save to a file", "Esc back"],
  commit: ["↑↓ scroll", "Esc back"],
  columns: ["↑↓ move", "Space show or hide", "J K move it", "Esc back"],
  help: ["↑↓ scroll", "Esc back"],
};

/** As many of the screen's keys as fit on one line. */
export function footer({ size, staysOpen }: Model, kind: ScreenKind, paint: Paint): string {
  let line = "";
  for (const hint of hints[kind]) {
    if (staysOpen && hint === "q quit") continue;
    const longer = line === "" ? hint : `${line}  ${hint}`;
    if (Bun.stringWidth(longer) > size.columns) break;
    line = longer;
  }
  return paint("dim", line);
}
