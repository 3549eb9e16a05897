import type { DaemonStatus, ReviewResponse } from "../daemon/api/responses.ts";
import type { Job } from "../store/schema.ts";
import type { Column } from "./columns.ts";
import type { Palette } from "./view/paint.ts";

// All that the screens depend on, as data. `update` makes the next one of it, `view` the lines of a frame.

export interface Size {
  columns: number;
  rows: number;
}

/** The checkout that the program was started in. */
export interface Place {
  /** Main root of its repository. */
  repo: string;
  worktree: string;
  /** Empty when HEAD is detached. */
  branch: string;
}

/** What keeps jobs out of the list, in the order in which it was chosen. */
export type Filter =
  | { kind: "repo"; path: string; name: string }
  /** The empty name stands for jobs without a branch. */
  | { kind: "branch"; name: string }
  | { kind: "closed" };

export interface RepoChoice {
  path: string;
  name: string;
  count: number;
  /** Absent until they were asked for. */
  branches?: { name: string; count: number }[];
  isExpanded: boolean;
}

/** What lies over the queue. */
export type Screen =
  | { kind: "review"; jobId: number; scroll: number; review?: ReviewResponse; problem?: string }
  | { kind: "prompt"; jobId: number; scroll: number; job?: Job; problem?: string }
  | { kind: "log"; jobId: number; scroll: number; follows: boolean; text: string; problem?: string }
  | { kind: "filter"; query: string; cursor: number; repos?: RepoChoice[]; only?: string }
  | { kind: "comment"; jobId: number; text: string }
  /** What the user wants of a fix besides. */
  | { kind: "fix"; jobId: number; text: string }
  /** Fixes in the background; `selected` is the id of a job. */
  | { kind: "tasks"; selected?: number }
  | { kind: "patch"; jobId: number; scroll: number; text?: string; problem?: string }
  | { kind: "commit"; jobId: number; scroll: number; text?: string }
  | { kind: "columns"; cursor: number; isChanged: boolean }
  | { kind: "help"; scroll: number };

/** The review of the selected job, beside the list. */
export type Detail = Omit<Extract<Screen, { kind: "review" }>, "kind">;

export type ScreenKind = Screen["kind"] | "queue";

/** `live`: told at once; `lost`: the daemon does not answer. */
export type Link = "connecting" | "live" | "lost";

export interface Model {
  size: Size;
  palette: Palette;
  nowMs: number;
  /** Of this program; the daemon's own is in its status. */
  version: string;
  place?: Place;
  daemon?: DaemonStatus;
  link: Link;
  problem?: string;
  /** Newest first, as far as they were loaded. */
  jobs: Job[];
  hasMore: boolean;
  isLoading: boolean;
  /** Fixes in the background, newest first; absent until they were asked for. */
  tasks?: Job[];
  stats?: { done: number; closed: number; open: number };
  /** Raised when the list is asked for anew: answers to earlier questions are dropped. */
  generation: number;
  filters: Filter[];
  /** Filters that the command line set. */
  locked: ReadonlySet<Filter["kind"]>;
  /** Id of a job. */
  selected?: number;
  /** Index of the first job on the screen. */
  top: number;
  /** Nothing but the title and the list. */
  isFocused: boolean;
  hidden: ReadonlySet<Column>;
  /** All columns, in the order in which they are shown. */
  order: readonly Column[];
  screens: Screen[];
  /** Whether the review of the selected job may stand beside the list; it does where there is room. */
  isSplit: boolean;
  /** What stands there. */
  detail?: Detail;
  /** Keys that scroll, scroll it. */
  hasDetailFocus: boolean;
  flash?: { text: string; untilMs: number; isError: boolean };
  /** What is asked before it is done. */
  question?: { text: string; job: number; action: "cancel" | "rerun" | "apply" | "rebase" };
  /** `q` does not end the program. */
  staysOpen: boolean;
}

export const screenOf = (model: Model): Screen | undefined => model.screens.at(-1);

/** Jobs that the list shows: what the daemon cannot leave out for us is left out here. */
export function shownJobs({ jobs, filters }: Pick<Model, "jobs" | "filters">): Job[] {
  if (!filters.some(({ kind }) => kind === "closed")) return jobs;
  return jobs.filter((job) => job.closed !== true && job.status !== "failed" && job.status !== "canceled");
}

export const filterOf = <K extends Filter["kind"]>(
  { filters }: Pick<Model, "filters">,
  kind: K,
): Extract<Filter, { kind: K }> | undefined =>
  filters.find((filter): filter is Extract<Filter, { kind: K }> => filter.kind === kind);

/** Fixes that the list of tasks shows: those of the repository that is looked at. */
export function shownTasks(model: Pick<Model, "tasks" | "filters">): Job[] {
  const repo = filterOf(model, "repo");
  return (model.tasks ?? []).filter(({ repo_path }) => repo === undefined || repo_path === repo.path);
}

export function selectedTask(model: Model): Job | undefined {
  const screen = model.screens.findLast(({ kind }) => kind === "tasks");
  const tasks = shownTasks(model);
  if (screen?.kind !== "tasks") return undefined;
  return tasks.find(({ id }) => id === screen.selected) ?? tasks[0];
}

export const selectedJob = (model: Model): Job | undefined =>
  model.jobs.find(({ id }) => id === model.selected);
