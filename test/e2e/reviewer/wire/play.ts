/** One answer of the model. */
export type Turn =
  | { text: string }
  /** A message of several text blocks. */
  | { texts: string[] }
  /** Say something, then read a file, or some lines of it. */
  | { read: string; say?: string; from?: number; lines?: number }
  /** Run a shell command, whether or not the tool is offered. */
  | { shell: string }
  /** Write a file, whether or not the tool is offered. */
  | { write: string }
  /** Refuse the request with this status and message. */
  | { fail: number; message: string };

export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** Some lines of a file, the first of which is number 1. */
export interface Section {
  from: number;
  lines: number;
}

/** How a program's model calls the tools that a turn needs. */
export interface ToolCalls {
  read(path: string, offered: string[]): Call;
  /** For programs that are given large files. */
  readSection?(path: string, section: Section, offered: string[]): Call;
  shell(command: string, offered: string[]): Call;
  write(path: string): Call;
}

export type Block = { type: "text"; text: string } | { type: "call"; id: string; call: Call };

/** What the wire formats put into their own words. */
export interface Play {
  number: number;
  model: unknown;
  stream: boolean;
  blocks: Block[];
}

/** The blocks of an answer. */
export function blocksOf(
  turn: Exclude<Turn, { fail: number }>,
  number: number,
  calls: ToolCalls,
  offered: string[],
): Block[] {
  if ("text" in turn) return [{ type: "text", text: turn.text }];
  if ("texts" in turn) return turn.texts.map((text) => ({ type: "text", text }));
  const call =
    "read" in turn
      ? reading(turn, calls, offered)
      : "shell" in turn
        ? calls.shell(turn.shell, offered)
        : calls.write(turn.write);
  const say: Block[] = "read" in turn && turn.say !== undefined ? [{ type: "text", text: turn.say }] : [];
  return [...say, { type: "call", id: `call_${number}`, call }];
}

function reading(turn: Extract<Turn, { read: string }>, calls: ToolCalls, offered: string[]): Call {
  const { read, from, lines } = turn;
  if (from === undefined || lines === undefined) return calls.read(read, offered);
  if (!calls.readSection) throw new Error("this program's calls say nothing about reading a section");
  return calls.readSection(read, { from, lines }, offered);
}

export const textOf = (blocks: Block[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
