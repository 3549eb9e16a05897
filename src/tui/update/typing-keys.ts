import type { KeyPress, Next } from "../message.ts";
import type { Model, Screen } from "../model.ts";
import { flash } from "./flash.ts";
import { back, onTop } from "./screens.ts";
import { typed } from "./typing.ts";

type Typed = Extract<Screen, { kind: "comment" | "fix" }>;

/** Everything that types something is typed. A comment has to say something, a fix needs no wishes. */
export function onTypingKey(model: Model, { kind, jobId, text }: Typed, key: KeyPress): Next {
  if (key.name === "escape") return [back(model), []];
  if (key.name !== "enter") {
    const next = typed(text, key);
    return next === undefined ? [model, []] : [onTop(model, { text: next }), []];
  }
  const said = text.trim();
  if (said === "" && kind === "comment")
    return [flash(back(model), "The comment was empty, nothing was sent", true), []];
  return [back(model), [{ kind, jobId, text: said }]];
}
