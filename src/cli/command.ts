import type { ArgDef, ArgsDef } from "citty";
import type { DataPaths } from "../config/paths.ts";
import type { Program } from "../update/program.ts";
import type { Output } from "./output.ts";

type Value<D extends ArgDef> = D extends { type: "boolean" }
  ? boolean
  : D extends { default: string }
    ? string
    : D extends { type: "positional"; required: false }
      ? string | undefined
      : D extends { type: "positional" }
        ? string
        : string | undefined;

/** Values of a command's declared flags and positionals; a flag that was not given has its default or is undefined. */
export type Values<A extends ArgsDef> = { -readonly [K in keyof A]: Value<A[K]> };

export interface GlobalFlags {
  server: string | undefined;
  verbose: boolean;
  json: boolean;
}

/** What a command may know of the world; tests pass their own. */
export interface World {
  env: Record<string, string | undefined>;
  /** Throws when the current directory is gone. */
  cwd(): string;
  /** Aborted by an interrupt from the keyboard. */
  signal: AbortSignal;
  stdin: { isTerminal: boolean; text(): Promise<string> };
  /** Asks a yes/no question; undefined where nobody can answer. */
  confirm(question: string): boolean | undefined;
  /** Runs a program that owns the terminal meanwhile; keys that interrupt are its business, not ours. */
  runAttached(argv: string[]): Promise<number>;
  /** argv prefix that runs this program again. */
  self: string[];
  /** What an update replaces. */
  program: Program;
  now(): Date;
}

export interface Context<A extends ArgsDef = ArgsDef> extends World {
  args: Values<A>;
  /** Names of the flags and positionals that stand on the command line, defaults left out. */
  given: ReadonlySet<string>;
  /** Positionals beyond the named ones (only where `rest` is declared). */
  rest: string[];
  flags: GlobalFlags;
  out: Output;
  /** Throws for an unusable ROBOREV_DATA_DIR. */
  paths(): DataPaths;
}

/** Two flags (or positionals, by name) that exclude each other, or a flag and what it needs. */
export interface Pair {
  names: readonly [string, string];
  hint?: string;
}

export interface CommandSpec<A extends ArgsDef = ArgsDef> {
  meta: { name: string; description: string };
  args: A;
  /** Further positionals after the named ones. */
  rest?: { name: string; description: string; required?: boolean };
  /** Flags that may stand bare, and what they then mean; they take a value only as `--flag=value`. */
  optionalValue?: Record<string, string>;
  /** Accepted but not shown in help. */
  hiddenFlags?: readonly string[];
  /** Flags of earlier releases, and what replaces them. */
  removedFlags?: Record<string, string>;
  exclusive?: readonly Pair[];
  requires?: readonly Pair[];
  /** Further paragraphs of the help. */
  details?: string;
  /** Shown when they differ from the usual 0, 1, 2. */
  exitCodes?: Record<number, string>;
  examples: readonly [string, ...string[]];
  /** false: there is no data, so `--json` is refused. */
  json?: false;
  /** An interrupt does not end it at once: it watches the signal and tidies up; with a flag's name, when that is given. */
  tidiesUp?: true | string;
  /** Called from a git hook: never prints, always exits 0, whatever is wrong with its arguments. */
  silent?: true;
  /** Exit status; nothing means 0. */
  run(context: Context<A>): Promise<number | undefined>;
}

export type Command = CommandSpec<ArgsDef>;

/** Declares a command with the types of its flags. */
export function define<const A extends ArgsDef>(spec: CommandSpec<A>): Command {
  // The runner hands `run` exactly the values that `args` declares.
  return spec as unknown as Command;
}
