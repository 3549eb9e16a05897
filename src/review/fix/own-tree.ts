import { join } from "node:path";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import type { Checkout } from "../../git/checkout.ts";
import { forgetTree, rememberTree, type TreePatch, treePatch } from "../../git/tree-patch.ts";
import { addReviewWorktree, removeReviewWorktree } from "../../git/worktree.ts";
import { killMarked } from "../agents/marked-processes.ts";
import type { WorktreeLock } from "./worktree-lock.ts";

/** A worktree that an agent has to itself. */
export interface OwnTree {
  path: string;
  /** What it holds beyond its commit by now; undefined for nothing. */
  change(): Promise<TreePatch | undefined>;
}

/** Whose worktree it is, where it lies, and the mark of what runs in it. */
export interface OwnTreePlace {
  checkout: Pick<Checkout, "mainRoot">;
  lock: Pick<WorktreeLock, "mark" | "trees">;
}

/** Git of an agent in such a worktree runs no hook: what it commits there is taken apart again. */
export const withoutHooks: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.hooksPath",
  GIT_CONFIG_VALUE_0: "/dev/null",
};

/**
 * Runs `work` in a worktree at a commit, and removes it afterwards, whatever happened. One that is left because this
 * process was killed goes when the lock is taken the next time, or when a daemon starts.
 */
export async function withOwnTree<T>(
  { checkout, lock }: OwnTreePlace,
  sha: string,
  work: (tree: OwnTree) => Promise<T>,
): Promise<T> {
  const { mainRoot } = checkout;
  // What an agent leaves running, such as a server for its tests, would write on into what is compared and removed.
  const endLeft = () => killMarked(lock.mark);
  await ensurePrivateDirectory(lock.trees);
  const path = join(lock.trees, `roborev-fix-${crypto.randomUUID().slice(0, 8)}`);
  try {
    await addReviewWorktree({ mainRoot, path, sha });
    const base = await rememberTree(path, sha, lock.trees);
    try {
      return await work({
        path,
        async change() {
          endLeft();
          return await treePatch(base);
        },
      });
    } finally {
      endLeft();
      await forgetTree(base);
    }
  } finally {
    await removeReviewWorktree({ mainRoot, path });
  }
}
