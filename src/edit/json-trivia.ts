/** Whitespace and comments between two tokens of JSON with comments. */
export interface Trivia {
  kind: "space" | "line-break" | "line-comment" | "block-comment";
  start: number;
  end: number;
}

/** The trivia from `from` up to the next token. */
export function triviaAt(text: string, from: number): Trivia[] {
  const found: Trivia[] = [];
  for (let at = from; ; ) {
    const next = readTrivia(text, at);
    if (!next) return found;
    found.push(next);
    at = next.end;
  }
}

const patterns: [Trivia["kind"], RegExp][] = [
  ["space", /[ \t]+/y],
  ["line-break", /\r\n|\n|\r/y],
  ["line-comment", /\/\/[^\r\n]*/y],
  ["block-comment", /\/\*[\s\S]*?\*\//y],
];

function readTrivia(text: string, at: number): Trivia | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { kind, start: at, end: at + match[0].length };
  }
  return undefined;
}

/** Offset of the first character at or after `from` that is no trivia. */
export function skipTrivia(text: string, from: number): number {
  return triviaAt(text, from).at(-1)?.end ?? from;
}

/** Offset of the comma that comes next after `from`, if a comma comes next. */
export function commaAfter(text: string, from: number): number | undefined {
  const at = skipTrivia(text, from);
  return text[at] === "," ? at : undefined;
}

/** End of the last comment that begins and ends on the line of `from`, before any other token; else `from`. */
export function sameLineCommentEnd(text: string, from: number): number {
  let end = from;
  for (const trivia of triviaAt(text, from)) {
    if (trivia.kind === "line-break") break;
    if (trivia.kind === "space") continue;
    if (/[\r\n]/.test(text.slice(trivia.start, trivia.end))) break;
    end = trivia.end;
  }
  return end;
}

/** The white space that the line of `offset` begins with. */
export function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/** Whether only white space stands before `offset` on its line. */
export function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && /^[ \t]*$/.test(text.slice(start, offset));
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}
