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

/**
 * What Ink read from the keyboard, as the program names it. Keys that come faster than they are read come as one text;
 * what was pasted comes another way.
 */
export function keyPresses(input: string, key: Key): KeyPress[] {
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name !== undefined) return [{ name, text: "", ctrl: key.ctrl }];
  if (key.ctrl) return [{ name: "text", text: input, ctrl: true }];
  // With Alt a key has no meaning here; an Escape that a key follows at once looks the same.
  if (key.meta) return [];
  return Array.from(input, keyOf);
}

function keyOf(character: string): KeyPress {
  if (character === "\r") return { name: "enter", text: "", ctrl: false };
  if (character === "\t") return { name: "tab", text: "", ctrl: false };
  const isControl = character < " ";
  // A line feed is what Ctrl-J sends.
  const text = isControl ? String.fromCharCode(character.charCodeAt(0) + 0x60) : character;
  return { name: "text", text, ctrl: isControl };
}
