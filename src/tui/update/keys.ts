import type { KeyPress, Next } from "../message.ts";
import { type Model, screenOf } from "../model.ts";
import { isPage } from "../view/page.ts";
import { onColumnsKey } from "./columns-keys.ts";
import { onFilterKey } from "./filter-keys.ts";
import { answer } from "./job-keys.ts";
import { onPageKey } from "./page-keys.ts";
import { onQueueKey } from "./queue-keys.ts";
import { onTasksKey } from "./task-keys.ts";
import { onTypingKey } from "./typing-keys.ts";

/** One key, by what is on the screen. */
export function onKey(model: Model, key: KeyPress): Next {
  if (key.ctrl && key.text === "c") return [model, [{ kind: "quit" }]];
  if (model.question) return answer(model, key);
  const screen = screenOf(model);
  if (screen === undefined) return onQueueKey(model, key);
  if (isPage(screen)) return onPageKey(model, screen, key);
  switch (screen.kind) {
    case "filter":
      return onFilterKey(model, screen, key);
    case "columns":
      return onColumnsKey(model, screen, key);
    case "tasks":
      return onTasksKey(model, key);
    default:
      return onTypingKey(model, screen, key);
  }
}
