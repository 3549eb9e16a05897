import type { ConfigCache } from "../../config/load.ts";
import type { Checkout } from "../../git/checkout.ts";
import { knownIdentity, repoIdentity } from "../../git/identity.ts";
import { findDefaultBranch, isAncestor } from "../../git/lineage.ts";
import { unreachableFrom } from "../../git/reachability.ts";
import { isRebaseInProgress } from "../../git/state.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Scope } from "../../reminder/lineage.ts";
import type { Enqueuer } from "../../review/enqueue.ts";
import { readRepoConfig } from "../../review/repo-config.ts";
import type { Store } from "../../store/store.ts";
import { openReviewsOf } from "./open-reviews.ts";
import type { HookServices } from "./service.ts";

interface FactSources {
  clock: Clock;
  config: ConfigCache;
  configPath: string;
  database<T>(work: (store: Store) => T): Promise<T>;
  resolveCheckout(directory: string): Promise<Checkout | undefined>;
  enqueue: Pick<Enqueuer, "enqueue">;
  /** A job was queued. */
  onQueued(): void;
  onError(component: string, error: unknown): void;
}

/** Where the hook service gets its facts: git and the database. A source that fails answers "unknown". */
export function createHookServices({
  database,
  resolveCheckout,
  enqueue,
  onQueued,
  onError,
  ...rest
}: FactSources): HookServices {
  const unknown =
    <T>(value: T) =>
    (error: unknown) => {
      onError("agent_hook", error);
      return value;
    };
  return {
    ...rest,
    findCheckout: (directory) => resolveCheckout(directory),
    trackedRepo: (checkout) => trackedRepo(checkout, database).catch(unknown("unknown" as const)),
    openFailed: (repoId, checkout) => openFailed(repoId, checkout, database).catch(unknown(undefined)),
    isAncestor: (checkout, ancestor, descendant) => isAncestor(checkout.worktreeRoot, ancestor, descendant),
    queueCommit: (scope) =>
      void queueCommit(scope, { resolveCheckout, enqueue })
        .then((queued) => (queued ? onQueued() : undefined))
        .catch((error) => onError("agent_hook", error)),
  };
}

/** The registered, active repository of a checkout. Another repository that took its place is not it. */
export async function trackedRepo(checkout: Checkout, database: FactSources["database"]) {
  const repo = await database((store) => store.repos.findByRoot(checkout.mainRoot));
  if (!repo?.active) return undefined;
  const { identity } = repo;
  if (identity !== undefined && identity !== (knownIdentity(checkout) ?? (await repoIdentity(checkout))))
    return undefined;
  return { id: repo.id, rootPath: repo.root_path };
}

async function openFailed(repoId: number, checkout: Checkout, database: FactSources["database"]) {
  if (checkout.head === undefined) return undefined;
  const cwd = checkout.worktreeRoot;
  const { branch, head } = checkout;
  const candidates = await database((store) =>
    branch === "" ? store.jobs.openFailedAnyBranch(repoId) : store.jobs.openFailed(repoId, branch),
  );
  return openReviewsOf(
    candidates,
    { head, branch },
    {
      unreachable: (refs, tip) => unreachableFrom(cwd, refs, tip),
      defaultBranch: () => findDefaultBranch(cwd),
    },
  );
}

/** Whether a job was queued. A repository that has its branches reviewed leaves that to the next commit with hooks. */
async function queueCommit(
  { worktreeRoot, head, branch }: Scope,
  { resolveCheckout, enqueue }: Pick<FactSources, "resolveCheckout" | "enqueue">,
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
