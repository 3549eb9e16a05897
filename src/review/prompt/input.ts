import type { ReviewFinding, Severity, Verdict } from "../../store/schema.ts";
import type { Snapshot, SnapshotReading } from "./snapshot.ts";
import type { UnshownFile } from "./unshown.ts";

/** As much of a diff as a prompt needs. */
export interface PromptDiff {
  text: string;
  files: { path: string; added: number; removed: number; binary: boolean }[];
  /** Changed files that the configuration keeps out of the diff. */
  excludedFiles: string[];
  isMerge: boolean;
}

export interface PromptComment {
  responder: string;
  response: string;
}

/** An earlier review, of a parent commit or of a commit inside the range. */
export interface PriorReview {
  sha: string;
  agent?: string;
  verdict?: Verdict;
  /** Absent: there is no review of this commit. */
  output?: string;
  /** With what has become of them. */
  findings?: ReviewFinding[];
  /** Those of older reviews of the same commit. */
  earlierFindings?: ReviewFinding[];
  comments: PromptComment[];
}

export interface PriorAttempt {
  agent: string;
  output: string;
  created_at: string;
  findings?: ReviewFinding[];
  comments?: PromptComment[];
}

export interface PromptInput {
  kind: "commit" | "range" | "dirty";
  reviewType: "default" | "security" | "design";
  agentFamily: "claude-code" | "codex" | "gemini" | "test" | "other";
  repoName: string;
  /** Oldest first; empty for uncommitted changes. */
  commits: { sha: string; author: string; subject: string; body: string }[];
  diff: PromptDiff;
  guidelines?: string;
  /** Reviews of the parents, oldest first. */
  previousReviews: PriorReview[];
  /** Reviews of the commits inside a range, oldest first. */
  inRangeReviews?: PriorReview[];
  /** Earlier reviews of the same target, newest first. */
  attempts: PriorAttempt[];
  additionalContext?: string;
  minSeverity?: Severity;
  /** Default 204,800. */
  maxBytes?: number;
  date: Date;
  /** Random, fresh for each run. */
  nonce: string;
  /** How the reviewer reads a file beside the checkout; absent where it cannot. `secret` is as fresh as the nonce. */
  snapshot?: SnapshotReading & { secret: string };
}

/** One prompt, or one for each part of a diff that does not fit into one and cannot be read from a file. */
export interface ReviewPrompt {
  prompts: string[];
  /** For each prompt, the diff that it asks to have reviewed. */
  covers: string[];
  delivery: "inline" | "chunked" | "file";
  /** With `file`: what the reviewer must find in its working directory. */
  snapshot?: Snapshot;
  /** Files whose changes the prompts carry. */
  filesSent: number;
  /** Files that they only name. */
  unshown: UnshownFile[];
}

/** The change cannot be reviewed whole, so it is not reviewed at all. */
export interface PromptTooLarge {
  tooLarge: true;
  reason: string;
}
