import type { DispositionState, Verdict } from "../../store/schema.ts";

// What the event stream carries, one JSON document each, and what review hooks get on standard input.

/** What happens to one job. */
export type JobEventType =
  | "job.enqueued"
  /** Its reviewer is about to run. */
  | "review.started"
  /** Stored, with verdict. */
  | "review.completed"
  /** For good: after every retry. */
  | "review.failed"
  | "review.canceled"
  | "review.closed"
  | "review.reopened"
  | "review.commented"
  /** Its commit was rewritten without being changed. */
  | "review.remapped";

export interface JobEvent {
  type: JobEventType;
  /** RFC 3339 in UTC. */
  ts: string;
  job_id: number;
  job_uuid: string;
  /** Main root of the repository. */
  repo: string;
  repo_name: string;
  /** A fix in the background, which is no review: there is no verdict, and `findings` is the agent's answer. */
  job_type?: "fix";
  /** What is reviewed: a SHA, `sha..sha`, or `dirty`; `fix #<parent>` of a fix. */
  sha: string;
  /** Before the rewrite; with `review.remapped`. */
  old_sha?: string;
  branch?: string;
  agent: string;
  verdict?: Verdict;
  /** The whole review; with `review.completed`. */
  findings?: string;
  /** With `review.failed`. */
  error?: string;
  /** With `review.commented`. */
  commenter?: string;
  comment?: string;
  /** With a `review.commented` that says what has become of one finding: its number, and that. */
  finding?: number;
  disposition?: DispositionState;
  worktree_path?: string;
}

/** Another `config.toml` is in force. */
export interface ConfigEvent {
  type: "config.reloaded";
  ts: string;
}

export type DaemonEvent = JobEvent | ConfigEvent;

/** In the place of `count` events that a slow reader did not take in time: what it knows is to be fetched again. */
export interface DroppedMarker {
  type: "stream.dropped";
  ts: string;
  count: number;
}
