import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateDirectory } from "../fs/private.ts";
import { removeTree } from "../fs/remove-tree.ts";
import { startableState } from "../git/startable.ts";
import { addReviewWorktree, pruneReviewWorktrees, removeReviewWorktree, treeState } from "../git/worktree.ts";
import { RoborevError } from "../lib/errors.ts";
import type { JobOutcome } from "./job-outcome.ts";

/** Where a reviewer works. */
export interface Workspace {
  path: string;
  /** Throws `E_TREE_CHANGED` when the reviewer changed what it was given to read, or `verifyRepository` does. */
  verifyUntouched(): Promise<void>;
  /** Throws `E_TREE_CHANGED` when the repository would start other programs than before. */
  verifyRepository(): Promise<void>;
}

/** What a reviewer finds there besides the commit: no part of it, and watched like all the rest. */
export interface WorkspaceFile {
  fileName: string;
  text: string;
}

/**
 * Runs `work` in a worktree of its own at `sha`, below `directory`, and removes it afterwards, whatever happened.
 * The user's checkout is neither read nor written: a commit made meanwhile cannot shift what is reviewed.
 */
export async function withReviewWorktree<T>(
  place: { mainRoot: string; directory: string; name: string; sha: string; file?: WorkspaceFile },
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  await ensurePrivateDirectory(place.directory);
  const path = join(place.directory, place.name);
  try {
    await addReviewWorktree({ mainRoot: place.mainRoot, path, sha: place.sha });
    if (place.file) await addFile(path, place.file);
    const [tree, verifyRepository] = [await treeState(path), await watchRepository(place.mainRoot)];
    return await work({
      path,
      verifyRepository,
      async verifyUntouched() {
        await verifyRepository();
        if ((await treeState(path)) === tree) return;
        throw new RoborevError("the reviewer changed files in its worktree", { code: "E_TREE_CHANGED" });
      },
    });
  } finally {
    await removeReviewWorktree({ mainRoot: place.mainRoot, path });
  }
}

/** Returns what throws `E_TREE_CHANGED` when the repository would start other programs than now. */
export async function watchRepository(mainRoot: string): Promise<() => Promise<void>> {
  const startable = await startableState(mainRoot);
  return async () => {
    if ((await startableState(mainRoot)) === startable) return;
    throw new RoborevError(
      `hooks or settings of ${mainRoot} that start programs changed while the reviewer ran`,
      {
        code: "E_TREE_CHANGED",
        hint: "If that was not you, look at .git/hooks and .git/config before you use git there.",
      },
    );
  };
}

/** The end of a job whose reviewer changed what it must not; undefined for any other error. */
export function policyFailure(error: unknown): Extract<JobOutcome, { kind: "failed" }> | undefined {
  if (!(error instanceof RoborevError) || error.code !== "E_TREE_CHANGED") return undefined;
  const text = `policy: ${error.message}${error.hint === undefined ? "" : `. ${error.hint}`}`;
  return { kind: "failed", error: text, retryable: false };
}

async function addFile(directory: string, { fileName, text }: WorkspaceFile): Promise<void> {
  const path = join(directory, fileName);
  // Never through a link, nor over a file of the commit.
  const options = { flag: "wx", mode: 0o600 };
  await writeFile(path, text, options);
  if ((await readFile(path, "utf8")) === text) return;
  throw new RoborevError(`cannot read back ${path}`, { code: "E_SNAPSHOT" });
}

/**
 * Removes what a daemon that died left: the worktrees, and git's records of them. `interrupted` are the repositories
 * whose reviews it was running, where a record may have outlived its directory; in the other `known` ones only a
 * directory that is still there can have one.
 */
export async function pruneLeftWorktrees(
  directory: string,
  roots: { interrupted: string[]; known: string[] },
): Promise<void> {
  const left = await readdir(directory).catch(() => [] as string[]);
  const affected = new Set([...roots.interrupted, ...(left.length > 0 ? roots.known : [])]);
  for (const root of affected) await pruneReviewWorktrees(root, directory);
  if (left.length === 0) return;
  await removeTree(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
}
