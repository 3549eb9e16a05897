import type { Checkout } from "../../git/checkout.ts";
import { isRebaseInProgress } from "../../git/state.ts";
import type { Scope } from "../../reminder/lineage.ts";
import type { Enqueuer } from "../../review/enqueue.ts";
import { readRepoConfig } from "../../review/repo-config.ts";

export interface CommitQueue {
  resolveCheckout(directory: string): Promise<Checkout | undefined>;
  enqueue: Pick<Enqueuer, "enqueue">;
}

/**
 * Queues a commit as `post-commit` would have; one that is queued already stays alone. Whether a job was queued: a
 * repository that has its branches reviewed leaves that to the next commit with hooks.
 */
export async function queueCommit(
  { worktreeRoot, head, branch }: Scope,
  { resolveCheckout, enqueue }: CommitQueue,
): Promise<boolean> {
  const checkout = await resolveCheckout(worktreeRoot);
  if (!checkout || isRebaseInProgress(checkout)) return false;
  const config = await readRepoConfig(checkout, { dirty: false, onWarning() {} });
  if (config.post_commit_review === "branch") return false;
  const outcome = await enqueue.enqueue({
    repo_path: worktreeRoot,
    git_ref: head,
    branch,
    source: "post_commit",
  });
  return !("skipped" in outcome);
}
