import { shellWord } from "../lib/shell-word.ts";
import { hiddenCharacters } from "../lib/text.ts";

/** A path in double quotes, every character visible; backslashes are doubled only where they would change what follows. */
export function quotedPath(path: string): string {
  const visible = path.replace(/(\\*)("|$)/g, (_, slashes: string, end: string) =>
    end === "" ? slashes + slashes : `${slashes}${slashes}\\"`,
  );
  return `"${visible.replace(hiddenCharacters(), escaped)}"`;
}

// What singleLine takes out stays here, to be seen: a path has to stay one that can be used.
const escaped = (char: string): string =>
  ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" })[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** A word for the shell of an agent: on Windows one in double quotes. */
export function agentShellWord(text: string, platform: string): string {
  const word = shellWord(text);
  return platform === "win32" && word !== text ? `"${text}"` : word;
}

/** Whether a word can stand in a command that the model is shown: one line, no end of our quoting. */
export const isShowable = (text: string): boolean =>
  text !== "" && !hiddenCharacters().test(text) && !/["`]/.test(text);
