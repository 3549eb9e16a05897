import type { KeyPress } from "../message.ts";

/** A text after a key of whoever types it, undefined where the key types nothing. */
export function typed(text: string, key: KeyPress): string | undefined {
  if (key.name === "backspace") return [...text].slice(0, -1).join("");
  if (key.ctrl && key.text === "j") return `${text}\n`;
  if (key.ctrl && key.text === "u") return "";
  return key.ctrl || key.text === "" ? undefined : text + key.text;
}
