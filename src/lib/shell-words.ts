/** The words of a hook command, or why it is not one plain command. */
export type SplitResult = { words: string[] } | { error: string };

const operators = new Set(";&|<>()`#");

/**
 * Splits a hook command as a POSIX shell would, and refuses whatever needs a shell to mean something:
 * operators, substitutions, comments, line breaks. Variables, globs and `~` are ordinary characters.
 */
export function splitCommand(text: string): SplitResult {
  const input = text.trim();
  if (/[\u0000-\u001f\u007f-\u009f]/.test(input))
    return { error: "hook command must be a single command line" };
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < input.length) {
    const char = input[at] as string;
    if (char === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
    } else if (char === "'" || char === '"') {
      const quoted = char === "'" ? readSingle(input, at + 1) : readDouble(input, at + 1);
      if ("error" in quoted) return quoted;
      word = (word ?? "") + quoted.text;
      at = quoted.next;
    } else if (char === "\\") {
      if (at + 1 >= input.length) return incompleteEscape;
      word = (word ?? "") + input[at + 1];
      at += 2;
    } else if (operators.has(char)) {
      return unsupported(char);
    } else {
      word = (word ?? "") + char;
      at++;
    }
  }
  if (word !== undefined) words.push(word);
  return { words };
}

type Quoted = { text: string; next: number } | { error: string };

const incompleteEscape = { error: "hook command contains incomplete escape" };
const unterminatedQuote = { error: "hook command contains unterminated quote" };
const unsupported = (operator: string) => ({
  error: `hook command contains unsupported shell operator ${operator}`,
});

function readSingle(input: string, start: number): Quoted {
  const end = input.indexOf("'", start);
  return end < 0 ? unterminatedQuote : { text: input.slice(start, end), next: end + 1 };
}

function readDouble(input: string, start: number): Quoted {
  let text = "";
  for (let at = start; at < input.length; at++) {
    const char = input[at] as string;
    if (char === '"') return { text, next: at + 1 };
    if (char === "`") return unsupported(char);
    if (char === "$" && input[at + 1] === "(") return unsupported("$(");
    if (char === "\\") {
      at++;
      if (at >= input.length) return unterminatedQuote;
      // https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_03
      if (!'$`"\\'.includes(input[at] as string)) text += char;
    }
    text += input[at];
  }
  return unterminatedQuote;
}
