import type { Evidence, Finding, JobType, Severity, TokenUsage, Verdict } from "./schema.ts";

/** A job as it is asked for; everything else is filled in by the store. */
export interface NewJob {
  repoId: number;
  gitRef: string;
  jobType: JobType;
  agent: string;
  reasoning: string;
  commitId?: number;
  branch?: string;
  worktreePath?: string;
  reviewType?: string;
  source?: string;
  model?: string;
  requestedModel?: string;
  minSeverity?: Severity;
  diffContent?: string;
  patchId?: string;
  /** Not to be claimed before. */
  notBefore?: Date;
  /** With type `fix`: its `commitId` is the commit that it starts from. */
  fix?: {
    parentJobId: number;
    /** Built when it was asked for, and kept for every attempt. */
    prompt: string;
  };
}

export interface CompletedReview {
  /** The reviewer that really ran. */
  agent: string;
  prompt: string;
  output: string;
  /** Absent where nothing was judged. */
  verdict?: Verdict;
  findings: Finding[];
  evidence?: Evidence;
  /** What a fix changed. */
  patch?: Uint8Array;
  sessionId?: string;
  tokenUsage?: TokenUsage;
}
