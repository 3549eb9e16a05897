import type { DaemonClient } from "../../client/daemon.ts";
import type { CommitCredit } from "../../config/commit-credit.ts";
import type { ReasoningLevel } from "../../config/reasoning.ts";
import type { ReviewResponse } from "../../daemon/api/responses.ts";
import type { Checkout } from "../../git/checkout.ts";
import type { Severity } from "../../store/schema.ts";
import type { Environment } from "../agents/reviewer.ts";
import type { SelectedReviewer } from "../agents/select.ts";
import type { FixOutcomeKind } from "./outcome.ts";
import type { WorktreeLock } from "./worktree-lock.ts";

/** What fixing needs of the daemon. */
export type FixClient = Pick<
  DaemonClient,
  "review" | "jobs" | "openReviews" | "enqueue" | "comment" | "closeReview" | "status" | "reportQuota"
>;

/** The agent that edits, and what it is run with. */
export interface FixAgent extends SelectedReviewer {
  reasoning: ReasoningLevel;
  model?: string;
  anthropicApiKey?: string;
}

/** Whoever watches. */
export interface FixProgress {
  /** What happens, one line. */
  say(line: string): void;
  /** What a user should know even if nothing else is shown. */
  warn(line: string): void;
  /** A review that is about to be dealt with. */
  review(review: ReviewResponse): void;
  /** An agent begins to work; the result is disposed of when it has ended. */
  agent(name: string): Disposable;
  /** What it says and does, for people: whole lines, each with its line end. */
  output(text: string): void;
  result(result: FixResult): void;
}

/** What became of one review. */
export interface FixResult {
  job_id: number;
  outcome: FixOutcomeKind | "passed" | "skipped";
  closed: boolean;
  /** One sentence. */
  message: string;
  /** Full SHA. */
  commit?: string;
}

export interface FixServices {
  /** Who calls for it. */
  command: "fix" | "refine";
  /** Where the agent works. */
  checkout: Checkout;
  client: FixClient;
  lock: Pick<WorktreeLock, "mark" | "remember">;
  /** Chosen at the first call: where nothing is to be done no agent needs to be installed. */
  agent(): Promise<FixAgent>;
  progress: FixProgress;
  settings: {
    floor?: Severity;
    guidelines?: string;
    credit: CommitCredit;
    maxPromptBytes: number;
    timeoutMs: number;
    /** One conversation for all reviews. */
    resume: boolean;
    /** Findings that only a tool has said something of are asked for again. */
    asksAgain?: boolean;
    /** Several reviews at once, at most so many. */
    batch?: { maxEntries?: number };
  };
  env: Environment;
  scratchDirectory: string;
  signal: AbortSignal;
  now(): Date;
  pause(ms: number): Promise<void>;
}
