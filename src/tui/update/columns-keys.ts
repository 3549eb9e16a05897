import { columnNames } from "../columns.ts";
import type { KeyPress, Next } from "../message.ts";
import type { Model, Screen } from "../model.ts";
import { back, onTop } from "./screens.ts";

/** Shows and hides columns; what was chosen is kept for the next time. */
export function onColumnsKey(
  model: Model,
  { cursor }: Extract<Screen, { kind: "columns" }>,
  { name, text }: KeyPress,
): Next {
  const last = columnNames.length - 1;
  if (name === "up" || text === "k") return [onTop(model, { cursor: Math.max(0, cursor - 1) }), []];
  if (name === "down" || text === "j") return [onTop(model, { cursor: Math.min(last, cursor + 1) }), []];
  if (name === "enter" || text === " ") {
    const column = columnNames[cursor];
    if (column === undefined) return [model, []];
    const hidden = new Set(model.hidden);
    if (!hidden.delete(column)) hidden.add(column);
    return [{ ...model, hidden }, []];
  }
  if (name !== "escape" && text !== "q" && text !== "o") return [model, []];
  return [
    back(model),
    [{ kind: "save-columns", hidden: columnNames.filter((one) => model.hidden.has(one)) }],
  ];
}
