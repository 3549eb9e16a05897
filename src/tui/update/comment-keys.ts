import type { KeyPress, Next } from "../message.ts";
import type { Model, Screen } from "../model.ts";
import { flash } from "./flash.ts";
import { back, onTop } from "./screens.ts";

/** Everything that types something is typed, pasted lines included. */
export function onCommentKey(
  model: Model,
  { jobId, text: typed }: Extract<Screen, { kind: "comment" }>,
  { name, text, ctrl }: KeyPress,
): Next {
  if (name === "escape") return [back(model), []];
  if (name === "enter") {
    const comment = typed.trim();
    if (comment === "") return [flash(back(model), "The comment was empty, nothing was sent", true), []];
    return [back(model), [{ kind: "comment", jobId, text: comment }]];
  }
  if (name === "backspace") return [onTop(model, { text: [...typed].slice(0, -1).join("") }), []];
  if (ctrl && text === "j") return [onTop(model, { text: `${typed}\n` }), []];
  if (ctrl && text === "u") return [onTop(model, { text: "" }), []];
  return ctrl || text === "" ? [model, []] : [onTop(model, { text: typed + text }), []];
}
