import type { KeyPress, Next } from "../message.ts";
import type { Model, Screen } from "../model.ts";
import { back, onTop } from "./screens.ts";

/** Shows, hides and moves columns; what was chosen is kept for the next time. */
export function onColumnsKey(
  model: Model,
  { cursor, isChanged }: Extract<Screen, { kind: "columns" }>,
  { name, text }: KeyPress,
): Next {
  const last = model.order.length - 1;
  if (name === "up" || text === "k") return [onTop(model, { cursor: Math.max(0, cursor - 1) }), []];
  if (name === "down" || text === "j") return [onTop(model, { cursor: Math.min(last, cursor + 1) }), []];
  if (name === "enter" || text === " ") {
    const column = model.order[cursor];
    if (column === undefined) return [model, []];
    const hidden = new Set(model.hidden);
    if (!hidden.delete(column)) hidden.add(column);
    return [onTop({ ...model, hidden }, { isChanged: true }), []];
  }
  if (text === "J" || text === "K") return [moved(model, cursor, text === "J" ? cursor + 1 : cursor - 1), []];
  if (name !== "escape" && text !== "q" && text !== "o") return [model, []];
  if (!isChanged) return [back(model), []];
  const hidden = model.order.filter((one) => model.hidden.has(one));
  return [back(model), [{ kind: "save-columns", hidden, order: model.order }]];
}

/** The column at one place changes places with that at another, and the cursor goes with it. */
function moved(model: Model, from: number, to: number): Model {
  const [column, other] = [model.order[from], model.order[to]];
  if (column === undefined || other === undefined) return model;
  const order = model.order.with(from, other).with(to, column);
  return onTop({ ...model, order }, { cursor: to, isChanged: true });
}
