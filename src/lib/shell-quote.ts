/** What stands between quotes, without its escapes, and where the text goes on; `closed`: the quote ends at all. */
export interface Quoted {
  content: string;
  end: number;
  closed: boolean;
}

/** Reads `$'…'` from after its opening quote. */
export function readAnsiQuote(text: string, start: number): Quoted {
  let content = "";
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "'") return { content, end: at + 1, closed: true };
    if (char === "\\") {
      const escaped = text[++at] ?? "";
      content += escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped;
    } else content += char;
  }
  return { content, end: at, closed: false };
}

/** Reads the command between backticks, from after the first. */
export function readBackticks(text: string, start: number): Quoted {
  let content = "";
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at] as string;
    const next = text[at + 1] ?? "";
    if (char === "`") return { content, end: at + 1, closed: true };
    if (char === "\\" && "`\\$".includes(next)) {
      content += next;
      at++;
    } else content += char;
  }
  return { content, end: at, closed: false };
}
