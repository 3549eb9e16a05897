import { listRows, listTop } from "../layout.ts";
import type { MousePress, Next } from "../message.ts";
import { type Model, screenOf, shownJobs } from "../model.ts";
import { onKey } from "./keys.ts";
import { selectAt } from "./list.ts";

const wheelLines = 3;

/** A click selects and a second one opens; the wheel moves. */
export function onMouse(model: Model, { kind, row }: MousePress, isDouble: boolean): Next {
  if (kind !== "click") return turned(model, kind === "wheelUp" ? "up" : "down");
  if (screenOf(model) !== undefined) return [model, []];
  const index = model.top + row - listTop(model);
  const isJob = row >= listTop(model) && row < listTop(model) + listRows(model);
  if (!isJob || index >= shownJobs(model).length) return [model, []];
  const [selected, effects] = selectAt(model, index);
  if (!isDouble) return [selected, effects];
  const [opened, more] = onKey(selected, { name: "enter", text: "", ctrl: false });
  return [opened, [...effects, ...more]];
}

function turned(model: Model, name: "up" | "down"): Next {
  let next: Next = [model, []];
  for (let line = 0; line < wheelLines; line++) {
    const [moved, effects] = onKey(next[0], { name, text: "", ctrl: false });
    next = [moved, [...next[1], ...effects]];
  }
  return next;
}
