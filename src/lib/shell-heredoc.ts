/** A heredoc whose operator was read and whose text begins at the next line. */
export interface Heredoc {
  token: { body: string };
  delimiter: string;
  /** `<<-`: tabs before the delimiter do not count. */
  indented: boolean;
}

/** Reads the body that begins at `start`, a line's beginning; returns where the line after the delimiter begins. */
export function readHeredoc(text: string, start: number, { token, delimiter, indented }: Heredoc): number {
  let at = start;
  while (at < text.length) {
    const lineStart = at;
    const end = text.indexOf("\n", lineStart);
    const line = text.slice(lineStart, end < 0 ? undefined : end).replace(/\r$/, "");
    at = end < 0 ? text.length : end + 1;
    if ((indented ? line.replace(/^\t+/, "") : line) === delimiter) {
      token.body = text.slice(start, lineStart);
      return at;
    }
  }
  token.body = text.slice(start);
  return at;
}
