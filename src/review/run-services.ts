import type { ConfigCache } from "../config/load.ts";
import type { DataPaths } from "../config/paths.ts";
import type { Clock } from "../lib/clock.ts";
import type { Job } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Environment } from "./agents/reviewer.ts";
import type { SelectedReviewer } from "./agents/select.ts";
import type { JobLog } from "./job-log.ts";
import type { Material } from "./material.ts";
import type { ReviewPrompt } from "./prompt/input.ts";

/** What running a job needs of whoever runs it. */
export interface RunServices {
  paths: DataPaths;
  config: ConfigCache;
  configPath: string;
  clock: Clock;
  database<T>(work: (store: Store) => T): Promise<T>;
  /** Reviewers are found by its PATH, and inherit what is fit for them. */
  env: Environment;
  /** Settles when programs are found where the user's own shell finds them. */
  pathReady?: Promise<void>;
  /** Takes what a reviewer prints while it works. */
  openLog(job: Job, reviewer: string): JobLog;
  onWarning(line: string): void;
  /** The job's reviewer is about to run. */
  onStarted(job: Job): void;
}

/** A claimed job with all that was prepared for it. */
export interface PreparedJob {
  job: Job;
  workerId: string;
  material: Material;
  selected: SelectedReviewer;
  prompt: ReviewPrompt;
}

/** Between the parts of a change that was reviewed in parts, in stored prompts and reviews. */
export const partSeparator = "\n\n----------------------------------------\n\n";
