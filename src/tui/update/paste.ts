import { type Model, screenOf } from "../model.ts";
import { onTop } from "./screens.ts";

/** Text from elsewhere is text, never keys: it goes where something is typed, and nowhere else. */
export function onPaste(model: Model, pasted: string): Model {
  const screen = screenOf(model);
  if (model.question || screen === undefined) return model;
  const text = pasted.replace(/\r\n?/g, "\n");
  switch (screen.kind) {
    case "comment":
    case "fix":
      return onTop(model, { text: screen.text + text });
    case "filter":
      return onTop(model, { query: screen.query + text.replace(/\s+/g, " "), cursor: 0 });
    default:
      return model;
  }
}
