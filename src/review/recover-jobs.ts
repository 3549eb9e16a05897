import type { DataPaths } from "../config/paths.ts";
import type { Store } from "../store/store.ts";
import { daemonMark, killMarked } from "./agents/marked-processes.ts";
import { killReviewerGroup } from "./agents/process-identity.ts";
import { tidyUpLocks } from "./fix/worktree-lock.ts";
import { pruneLeftWorktrees } from "./workspace.ts";

/** Ends reviewers whose daemon (or `review --local`) died, puts their jobs back, removes their worktrees. */
export async function recoverJobs(
  store: Store,
  paths: Pick<DataPaths, "dataDir" | "worktrees" | "fixes">,
  onError: (error: unknown) => void,
): Promise<void> {
  const orphans = store.jobs.orphanProcesses();
  const interrupted = store.jobs.interruptedRepos();
  await Promise.all(orphans.map(killReviewerGroup));
  // One that was started in the moment of the death is not on record, nor is what left its group.
  if (orphans.length > 0 || interrupted.length > 0) killMarked(daemonMark(paths.dataDir));
  store.jobs.requeueRunning();
  const known = store.repos.list().map((repo) => repo.root_path);
  await pruneLeftWorktrees(paths.worktrees, { interrupted, known }).catch(onError);
  await tidyUpLocks(paths.fixes, onError);
}
