import type { Ask } from "./facts.ts";
import type { Session } from "./state.ts";

/** The git position of an event. Paths are real paths. */
export interface Scope {
  worktreeRoot: string;
  /** Main root, as registered where the repository is known. */
  trackedRoot: string;
  /** Full SHA. */
  head: string;
  /** Short name; empty when HEAD is detached. */
  branch: string;
}

export const branchKey = (scope: Pick<Scope, "trackedRoot" | "branch">): string =>
  scope.branch === "" ? scope.trackedRoot : `${scope.trackedRoot}\0${scope.branch}`;

export const worktreeKey = (scope: Pick<Scope, "trackedRoot" | "worktreeRoot">): string =>
  `${scope.trackedRoot}\0worktree\0${scope.worktreeRoot}`;

const candidateLineage = (scope: Scope): string =>
  scope.branch !== ""
    ? branchKey(scope)
    : `${scope.trackedRoot}\0detached\0${scope.worktreeRoot}\0${scope.head}`;

/** `lineage` is what older releases wrote for `detached`. */
const isDetachedLineage = (key: string): boolean =>
  key.includes("\0detached\0") || key.includes("\0lineage\0");

/**
 * Lineage of a session in a worktree. A branch is its own lineage. A detached line keeps the identity it started
 * with while it grows, and when a branch is attached to it that the session knew nothing of; anything else starts a
 * new one. (A rebase that stops detaches HEAD for a while: the branch that comes back is the one that was left.)
 */
export function lineageOf(session: Session | undefined, scope: Scope, ask: Ask): string {
  const candidate = candidateLineage(scope);
  const stored = session?.worktree_lineage_keys?.[worktreeKey(scope)];
  if (stored === undefined || stored === candidate || !isDetachedLineage(stored)) return candidate;
  const before = session?.repo_heads?.[worktreeKey(scope)];
  if (before === undefined || isUsed(session, candidate)) return candidate;
  return isGrown(before, scope, ask) ? stored : candidate;
}

/**
 * As `lineageOf`, right after commits: an amend rewrites the detached line that a branch was attached to, which is
 * the same work where the branch stayed attached all the while, or commits wait there to be told.
 */
export function lineageAfterCommit(
  session: Session | undefined,
  scope: Scope,
  isSameWork: boolean,
  ask: Ask,
): string {
  const lineage = lineageOf(session, scope, ask);
  const stored = session?.worktree_lineage_keys?.[worktreeKey(scope)];
  const isRewritten =
    stored !== undefined && stored !== lineage && isDetachedLineage(stored) && scope.branch !== "";
  return isRewritten && isSameWork && !isUsed(session, lineage) ? stored : lineage;
}

const isGrown = (before: string, scope: Scope, ask: Ask): boolean =>
  before === scope.head ||
  ask({ ask: "ancestor", worktree: scope.worktreeRoot, ancestor: before, descendant: scope.head });

/** The session was told something in this lineage, counted turns in it, or has something waiting for it. */
function isUsed(session: Session | undefined, lineage: string): boolean {
  const { acknowledged_review_ids, stop_counts_since_prompt, failed_review_triggered_counts } = session ?? {};
  return (
    [acknowledged_review_ids, stop_counts_since_prompt, failed_review_triggered_counts].some(
      (map) => map?.[lineage] !== undefined,
    ) || Object.values(session?.pending_reminders ?? {}).some((pending) => pending.lineage_key === lineage)
  );
}

/** Keys under which commits of this position are counted. */
export function sequenceKeys(scope: Scope, lineage: string): string[] {
  if (scope.branch === "") return [worktreeKey(scope)];
  return isDetachedLineage(lineage) ? [worktreeKey(scope), branchKey(scope)] : [branchKey(scope)];
}
