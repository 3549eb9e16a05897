import type { ReasoningLevel } from "../../config/reasoning.ts";
import type { ReviewerProcess } from "../../store/store.ts";
import type { StreamListener } from "./stream/event.ts";
import type { StreamParser } from "./stream/parser.ts";

/** What one run asks of its reviewer; the part that decides the command line. */
export interface ReviewerTask {
  jobId: number;
  /** The checkout under review. Real path. */
  cwd: string;
  /** A fix: the program may edit and run commands in the checkout. Otherwise it only reads. */
  agentic?: boolean;
  /** The user has switched the program's own sandbox off (`sandboxSwitch`). */
  withoutSandbox?: boolean;
  reasoning: ReasoningLevel;
  model?: string;
  /** Conversation to continue. */
  sessionId?: string;
  /** Configured by the user for Claude Code (`anthropic_api_key`). */
  anthropicApiKey?: string;
  /** A private directory of this run: what the program works in, or what its prompt lies in. Real path. */
  cell?: string;
}

/** One run of a reviewer process. */
export interface ReviewerRun extends ReviewerTask {
  /** Program and its leading arguments, as `selectReviewer` gave them. */
  command: string[];
  /** Given on standard input. */
  prompt: string;
  timeoutMs: number;
  /** Ends the reviewer and everything it started. */
  signal: AbortSignal;
  /** The environment of the daemon; what the reviewer gets of it is decided here. */
  env: Environment;
  /** Variables that it gets besides. */
  variables?: Readonly<Record<string, string>>;
  /** Private directory in which a cell is made and removed again. Default: the system's for temporary files. */
  scratchDirectory?: string;
  /** Called in the tick of the spawn, so that a next daemon can end the process if this one dies. */
  onStart(process: ReviewerProcess & { argv: string[] }): void;
  /** Everything the process prints, as it comes. */
  onOutput(chunk: Uint8Array): void;
  /** It was ended before its time, and its group with it: the moment to end what had left the group. */
  onCutShort?(): void;
}

export type Environment = Record<string, string | undefined>;

/** What is known of the program that is about to run. */
export interface Capabilities {
  /** Long options that its help lists. */
  flags: ReadonlySet<string>;
  /** Contents of those of the reviewer's `userFiles` that exist, by path. */
  files: ReadonlyMap<string, string>;
  /** Those of its `helpers` that are installed. */
  helpers: ReadonlySet<string>;
}

/**
 * What keeps a review from running or obeying anything of the checkout, and from what the user set up for interactive
 * work, as far as the program has switches for it.
 */
export interface Isolation {
  /** Pages of the program's documentation that describe the switches. */
  documentation: readonly string[];
  /** Arguments of every review. */
  switches: readonly string[];
  /** Variables of every review. */
  variables?: Readonly<Record<string, string>>;
  /**
   * No switch leaves out what a checkout brings along: the program works in an empty directory of ours, and the
   * checkout is one that it may read. These are the files in there, by relative path.
   */
  cell?(task: ReviewerTask, capabilities: Capabilities): Record<string, string>;
}

/** A program that reviews, as data. Everything here is pure. */
export interface Reviewer {
  name: string;
  /** Other names a user may write. */
  aliases: readonly string[];
  /** Program looked up when no `<agent>_cmd` is configured. */
  command: string;
  /** The same program under a name that others use too; it counts where its real path matches `pattern`. */
  sharedCommand?: { name: string; pattern: RegExp };
  /** Our own executable with these arguments, instead of a program of somebody else. */
  builtIn?: readonly string[];
  /** Arguments that print the help in which options are looked up. */
  help?: readonly string[];
  /** Options without which the program cannot run as a reviewer that loads nothing of the checkout. */
  requiredFlags?: readonly string[];
  /** Options without which it cannot run as a fixer. */
  fixFlags?: readonly string[];
  /** Files of the user that decide arguments, environment or cell. */
  userFiles?(env: Environment): string[];
  /** Setting of the user with which reviews do without the program's own sandbox. */
  sandboxSwitch?: "disable_codex_sandbox";
  /** Absent only for what runs nothing of others. */
  isolation?: Isolation;
  /** Programs that some of its switches need. */
  helpers?: readonly string[];
  /** Name of the file in the cell that the prompt is written to, for a program that does not read standard input. */
  promptFile?: string;
  /** Arguments after the command. */
  argv(task: ReviewerTask, capabilities: Capabilities): string[];
  /** The whole environment of the process, from one that `reviewerEnvironment` has already cleaned. */
  environment(
    env: Record<string, string>,
    task: ReviewerTask,
    capabilities: Capabilities,
  ): Record<string, string>;
  /** A listener hears what the output says as it comes. */
  createParser(listener?: StreamListener): StreamParser;
}
