import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "./checkout.ts";

type Place = Pick<Checkout, "gitDir">;

/** Whether a rebase (or `git am`) of this working tree has begun and not ended. */
export function isRebaseInProgress(checkout: Place): boolean {
  return ["rebase-merge", "rebase-apply"].some((name) => exists(checkout, name));
}

/**
 * Whether a rebase of this working tree is between two of its commits, and may still be aborted. Git tells of the whole
 * when the branch is at its new place, with the state of the rebase still there; of a commit that is amended on the way
 * it tells at once. Only the `merge` backend amends by itself.
 */
export function isRebaseUnfinished({ gitDir, branch }: Pick<Checkout, "gitDir" | "branch">): boolean {
  const state = join(gitDir, "rebase-merge");
  const name = readText(join(state, "head-name"));
  if (name === undefined) return false;
  if (name.startsWith("refs/heads/")) return branch === "";
  return /^(?!#)\S/m.test(readText(join(state, "git-rebase-todo")) ?? "");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // no rebase, or it ended just now
  }
}

/** What git keeps in the git directory while something waits to be continued or aborted, and what to call it. */
const markers = [
  ["rebase-apply/applying", "git am"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["MERGE_HEAD", "merge"],
  // Between two commits of a cherry-pick or revert of several.
  ["sequencer", "cherry-pick or revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/** What of git's own has begun in this working tree and not ended; undefined for nothing. */
export function operationInProgress(checkout: Place): string | undefined {
  return markers.find(([name]) => exists(checkout, name))?.[1];
}

const exists = ({ gitDir }: Place, name: string): boolean =>
  statSync(join(gitDir, name), { throwIfNoEntry: false }) !== undefined;
