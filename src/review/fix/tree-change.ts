import type { WorkingState } from "../../git/working-state.ts";

/** What an agent did to the working tree. */
export type TreeChange =
  | { kind: "none" }
  /** Nothing was committed, and these paths are not as they were. */
  | { kind: "uncommitted"; paths: string[]; isTracked: boolean }
  /** `leftover`: what is changed besides. */
  | { kind: "committed"; sha: string; count: number; leftover: string[]; isTracked: boolean }
  /** Not what it was told to do: whoever goes on would do so on other ground. */
  | { kind: "astray"; what: string };

export interface Observed {
  before: WorkingState;
  after: WorkingState;
  /** First-parent commits from `before` to `after`; undefined where the one does not lead to the other. */
  commits: number | undefined;
  /** A rebase, merge and the like that has begun and not ended. */
  operation: string | undefined;
}

/** Reads the change off the states before and after. Nothing tracked was changed before. */
export function treeChange({ before, after, commits, operation }: Observed): TreeChange {
  if (operation !== undefined) return { kind: "astray", what: `left a ${operation} in progress` };
  if (after.branch !== before.branch) {
    const [from, to] = [before.branch, after.branch].map((branch) => branch || "a detached HEAD");
    return { kind: "astray", what: `went from ${from} to ${to}` };
  }
  const paths = [...after.modified, ...newUntracked(before, after)];
  const isTracked = after.modified.length > 0;
  if (after.head === before.head)
    return paths.length === 0 ? { kind: "none" } : { kind: "uncommitted", paths, isTracked };
  if (commits === undefined || after.head === undefined) {
    return { kind: "astray", what: "rewrote commits that were there before" };
  }
  return { kind: "committed", sha: after.head, count: commits, leftover: paths, isTracked };
}

/** Files that git does not track and that were not there before, or not like this. */
function newUntracked(before: WorkingState, after: WorkingState): string[] {
  return [...after.untracked]
    .filter(([path, stamp]) => before.untracked.get(path) !== stamp)
    .map(([path]) => path);
}
