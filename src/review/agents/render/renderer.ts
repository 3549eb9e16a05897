import { createLineReader, type Paint, type ShownLine } from "./lines.ts";

/** Turns what a reviewer prints into what a person reads, as it comes: whole lines, each with its line end. */
export interface StreamRenderer {
  /** Chunks may end anywhere, within a character too. */
  feed(chunk: Uint8Array): string;
  /** No more output: what is left. */
  end(): string;
}

export interface RenderOptions {
  /** Colours a text, if what is shown may be coloured; by default it stays as it is. */
  paint?: Paint;
}

/** The lines of a reviewer's output as one text, in which a blank line sets words and deeds apart. */
export function createRenderer(reviewer: string | undefined, options: RenderOptions = {}): StreamRenderer {
  const reader = createLineReader(reviewer, options.paint);
  return { feed: (chunk) => joined(reader.feed(chunk)), end: () => joined(reader.end()) };
}

const joined = (lines: ShownLine[]): string =>
  lines.map(({ text, isApart }) => `${isApart ? "\n" : ""}${text}\n`).join("");
