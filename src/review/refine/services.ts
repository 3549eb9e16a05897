import type { Job } from "../../store/schema.ts";
import type { FixResult, FixServices } from "../fix/services.ts";
import type { WorktreeLock } from "../fix/worktree-lock.ts";

export interface RefineServices extends FixServices {
  command: "refine";
  lock: Pick<WorktreeLock, "mark" | "remember" | "trees">;
  /** Resolves when a job has ended. */
  waitFor(jobId: number): Promise<Job>;
  /** Times that an agent is started for a review; those that mend what a git hook refused do not count. */
  maxIterations: number;
  /** What the project asks of reviews; "" for nothing. */
  guidelines: string;
}

/** The commits that are refined. */
export interface RefineScope {
  /** Full SHA of the commit before the first of them. */
  base: string;
  /** Empty for a detached HEAD. */
  branch: string;
}

export type RefineOutcome =
  /** The review of the whole passed. */
  | "passed"
  /** There is nothing to review. */
  | "nothing"
  /** What the review of the whole still finds is below the floor, or settled. */
  | "settled"
  /** The same came back after it was addressed. */
  | "recurring"
  /** The agent changes nothing for what is found. */
  | "unresolved"
  /** There is no review of the whole. */
  | "unreviewed"
  | "exhausted";

/** What a run on one branch came to. */
export interface RefineRun {
  outcome: RefineOutcome;
  branch: string;
  /** One sentence without its full stop. */
  message: string;
  /** What the user can do. */
  hint?: string;
  iterations: number;
  results: FixResult[];
  /** Full SHAs, oldest first. */
  commits: string[];
}

/** Whether nothing is left to do. */
export const isDone = ({ outcome }: Pick<RefineRun, "outcome">): boolean =>
  outcome === "passed" || outcome === "nothing" || outcome === "settled";
