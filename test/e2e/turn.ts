import type { Block, Call } from "./wire/play.ts";
import { type Body, toolNames } from "./wire/request.ts";

/** One answer of the scripted model. */
export type Turn =
  | { text: string }
  /** A message of several text blocks. */
  | { texts: string[] }
  /** Say something, then read a file, or some lines of it. */
  | { read: string; say?: string; from?: number; lines?: number }
  /** Run a shell command, whether or not the tool is offered; `extra`: further fields of the tool's input. */
  | { shell: string; extra?: Record<string, unknown> }
  /** Several commands in one answer. */
  | { shells: string[] }
  /** Write a file, whether or not the tool is offered. */
  | { write: string }
  /** Takes up a skill by its name, or reads its file where the program has no tool for that. */
  | { skill: string; path: string }
  /** Starts a sub-agent with this prompt. */
  | { subagent: string }
  /** Waits for the sub-agent that was started last. */
  | { waitAgent: true }
  /** Reads on from the command that is still running. */
  | { readOn: true }
  /** Refuse the request with this status and message. */
  | { fail: number; message: string };

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
  skill?(name: string): Call;
  subagent?(prompt: string, body: Body): Call;
  waitAgent?(body: Body): Call;
  readOn?(body: Body): Call;
}

/** The blocks of an answer to this request. */
export function blocksOf(
  turn: Exclude<Turn, { fail: number }>,
  number: number,
  calls: ToolCalls,
  body: Body,
): Block[] {
  if ("text" in turn) return [{ type: "text", text: turn.text }];
  if ("texts" in turn) return turn.texts.map((text) => ({ type: "text", text }));
  const say: Block[] = "read" in turn && turn.say !== undefined ? [{ type: "text", text: turn.say }] : [];
  const made = callsOf(turn, calls, body);
  return [...say, ...made.map((call, index): Block => ({ type: "call", id: `${number}_${index}`, call }))];
}

type Acting = Exclude<Turn, { text: string } | { texts: string[] } | { fail: number }>;

function callsOf(turn: Acting, calls: ToolCalls, body: Body): Call[] {
  const offered = toolNames(body);
  if ("shells" in turn) return turn.shells.map((command) => calls.shell(command, offered));
  if ("shell" in turn) {
    const call = calls.shell(turn.shell, offered);
    return [{ ...call, input: { ...call.input, ...turn.extra } }];
  }
  if ("read" in turn) return [reading(turn, calls, offered)];
  if ("skill" in turn) return [calls.skill?.(turn.skill) ?? calls.read(turn.path, offered)];
  if ("write" in turn) return [calls.write(turn.write)];
  const call =
    "subagent" in turn
      ? calls.subagent?.(turn.subagent, body)
      : "waitAgent" in turn
        ? calls.waitAgent?.(body)
        : calls.readOn?.(body);
  if (call === undefined) throw new Error(`this program's model has no ${Object.keys(turn)}`);
  return [call];
}

function reading(turn: Extract<Turn, { read: string }>, calls: ToolCalls, offered: string[]): Call {
  const { read, from, lines } = turn;
  if (from === undefined || lines === undefined) return calls.read(read, offered);
  if (!calls.readSection) throw new Error("this program's calls say nothing about reading a section");
  return calls.readSection(read, { from, lines }, offered);
}
