import type { Key } from "ink";
import type { KeyPress } from "./message.ts";

const named: [keyof Key, KeyPress["name"]][] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  // What most keyboards send for the key above Enter.
  ["delete", "backspace"],
];

/** What Ink read from the keyboard, as the program names it; text that was typed or pasted at once stays in one piece. */
export function keyPress(input: string, key: Key): KeyPress {
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name !== undefined) return { name, text: "", ctrl: key.ctrl };
  // A line feed is what Ctrl-J sends.
  if (input === "\n") return { name: "text", text: "j", ctrl: true };
  return { name: "text", text: key.meta ? "" : input.replaceAll("\r", "\n"), ctrl: key.ctrl };
}
