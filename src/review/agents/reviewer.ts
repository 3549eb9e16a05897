import type { ReasoningLevel } from "../../config/reasoning.ts";
import type { ReviewerProcess } from "../../store/store.ts";
import type { StreamParser } from "./stream/parser.ts";

/** What one review asks of its reviewer; the part that decides the command line. */
export interface ReviewerTask {
  jobId: number;
  /** The checkout under review. Real path. */
  cwd: string;
  reasoning: ReasoningLevel;
  model?: string;
  /** Conversation to continue. */
  sessionId?: string;
  /** Configured by the user for Claude Code (`anthropic_api_key`). */
  anthropicApiKey?: string;
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
  /** Called in the tick of the spawn, so that a next daemon can end the process if this one dies. */
  onStart(process: ReviewerProcess & { argv: string[] }): void;
  /** Everything the process prints, as it comes. */
  onOutput(chunk: Uint8Array): void;
}

export type Environment = Record<string, string | undefined>;

/** What is known of the program that is about to run. */
export interface Capabilities {
  /** Long options that its help lists. */
  flags: ReadonlySet<string>;
  /** Contents of those of the reviewer's `userFiles` that exist, by path. */
  files: ReadonlyMap<string, string>;
}

/** A program that reviews, as data. Everything here is pure. */
export interface Reviewer {
  name: string;
  /** Other names a user may write. */
  aliases: readonly string[];
  /** Program looked up when no `<agent>_cmd` is configured. */
  command: string;
  /** Our own executable with these arguments, instead of a program of somebody else. */
  builtIn?: readonly string[];
  /** Arguments that print the help in which options are looked up. */
  help?: readonly string[];
  /** Options without which the program cannot run as a reviewer that loads nothing of the checkout. */
  requiredFlags?: readonly string[];
  /** Files of the user that decide arguments or environment. */
  userFiles?(env: Environment): string[];
  /** Arguments after the command. */
  argv(task: ReviewerTask, capabilities: Capabilities): string[];
  /** The whole environment of the process, from one that `reviewerEnvironment` has already cleaned. */
  environment(
    env: Record<string, string>,
    task: ReviewerTask,
    capabilities: Capabilities,
  ): Record<string, string>;
  createParser(): StreamParser;
}
