import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "./checkout.ts";

/** Whether a rebase (or `git am`) of this working tree has begun and not ended. */
export function isRebaseInProgress(checkout: Pick<Checkout, "gitDir">): boolean {
  return ["rebase-merge", "rebase-apply"].some(
    (name) => statSync(join(checkout.gitDir, name), { throwIfNoEntry: false }) !== undefined,
  );
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
