import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

export interface CheckoutPlace {
  worktreeRoot: string;
  gitDir: string;
  commonDir: string;
  /** `core.bare` and `core.worktree` of the common configuration. */
  bare: boolean;
  worktree?: string;
}

/**
 * What every checkout of one repository is filed under: the main checkout, and for a bare repository with linked
 * worktrees, which has none, its own directory (worktrees come and go).
 */
export function mainRootOf(place: CheckoutPlace): string {
  if (place.gitDir === place.commonDir) return place.worktreeRoot;
  if (place.bare) return place.commonDir;
  if (basename(place.commonDir) === ".git") return dirname(place.commonDir);
  if (place.worktree === undefined) return place.worktreeRoot;
  try {
    return realpathSync(resolve(place.commonDir, place.worktree));
  } catch {
    return place.worktreeRoot; // the main checkout (of a submodule) is gone
  }
}
