import { hiddenCharacters } from "./text.ts";

/**
 * A patch for a terminal. What cannot be shown, such as a character that turns a line round, stands there as an escape:
 * in code that is about to be applied it may be what matters.
 */
export function patchText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(/\t/g, "  ")
    .split("\n")
    .map((line) => line.replace(hiddenCharacters(), (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`))
    .join("\n");
}
