import type { JobQuery } from "../client/daemon.ts";
import type { DaemonStatus, JobsResponse, ReviewResponse } from "../daemon/api/responses.ts";
import type { Job } from "../store/schema.ts";
import type { Column } from "./columns.ts";
import type { Link, Model, RepoChoice, Size } from "./model.ts";

/** One press; `text` is the character that it types, empty for keys that type nothing. */
export interface KeyPress {
  name:
    | "up"
    | "down"
    | "left"
    | "right"
    | "pageUp"
    | "pageDown"
    | "home"
    | "end"
    | "enter"
    | "escape"
    | "tab"
    | "backspace"
    | "text";
  text: string;
  ctrl: boolean;
}

/** A click or a turn of the wheel; `row` counts from 0 at the top of the screen. */
export interface MousePress {
  kind: "click" | "wheelUp" | "wheelDown";
  row: number;
}

/** What happens to the program. */
export type Message =
  | { kind: "key"; key: KeyPress }
  | { kind: "paste"; text: string }
  | { kind: "mouse"; mouse: MousePress; isDouble: boolean }
  | { kind: "resize"; size: Size }
  | { kind: "tick"; nowMs: number }
  | { kind: "link"; link: Link; problem?: string }
  | { kind: "event"; jobId: number }
  | { kind: "stale" }
  | { kind: "status"; status: DaemonStatus }
  | { kind: "jobs"; generation: number; isMore: boolean; page: JobsResponse }
  | { kind: "job"; id: number; job: Job | undefined }
  | { kind: "tasks"; tasks: Job[] }
  | { kind: "patch"; jobId: number; text?: string; problem?: string }
  | { kind: "review"; jobId: number; review?: ReviewResponse; problem?: string }
  | { kind: "prompt"; jobId: number; job?: Job; problem?: string }
  | { kind: "log"; jobId: number; text: string; isAnew: boolean }
  | { kind: "log-problem"; jobId: number; problem: string }
  | { kind: "repos"; repos: RepoChoice[] }
  | { kind: "branches"; repo: string; branches: { name: string; count: number }[] }
  | { kind: "commit"; jobId: number; text: string }
  | { kind: "done"; text: string; jobId?: number }
  | { kind: "failed"; text: string };

/** What the program asks of the world; each answer comes back as a message. */
export type Effect =
  | { kind: "load-jobs"; query: JobQuery; generation: number; isMore: boolean }
  | { kind: "load-job"; id: number }
  | { kind: "load-status" }
  | { kind: "load-tasks" }
  | { kind: "load-patch"; jobId: number }
  | { kind: "save-patch"; jobId: number }
  /** A fix of this job's review in the background. */
  | { kind: "fix"; jobId: number; text: string }
  | { kind: "apply"; jobId: number }
  | { kind: "rebase"; jobId: number }
  | { kind: "load-review"; jobId: number }
  | { kind: "load-prompt"; jobId: number }
  | { kind: "follow-log"; jobId: number; agent: string }
  | { kind: "leave-log" }
  | { kind: "load-repos" }
  | { kind: "load-branches"; repo: string }
  | { kind: "load-commit"; job: Job }
  | { kind: "cancel"; jobId: number }
  | { kind: "rerun"; jobId: number }
  | { kind: "close"; jobId: number; closed: boolean }
  | { kind: "comment"; jobId: number; text: string }
  | { kind: "pause"; paused: boolean }
  | { kind: "save-columns"; hidden: Column[]; order: readonly Column[] }
  | { kind: "copy"; text: string; what: string }
  | { kind: "quit" };

export type Next = readonly [Model, readonly Effect[]];
