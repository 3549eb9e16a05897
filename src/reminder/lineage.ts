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

/** Answers "is a an ancestor of b" from facts gathered beforehand; undefined: not known yet. */
export type Ancestry = (ancestor: string, descendant: string) => boolean | undefined;

/** A decision cannot be made before git has said whether one commit is an ancestor of another. */
export class NeedsAncestry extends Error {
  constructor(
    readonly ancestor: string,
    readonly descendant: string,
  ) {
    super(`is ${ancestor} an ancestor of ${descendant}?`);
  }
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
export const isDetachedLineage = (key: string): boolean =>
  key.includes("\0detached\0") || key.includes("\0lineage\0");

/**
 * Lineage of a session in a worktree. A branch is its own lineage. A detached line keeps the identity it started
 * with while it grows, and when a branch is attached to it; anything else starts a new one.
 */
export function lineageOf(session: Session | undefined, scope: Scope, isAncestor: Ancestry): string {
  const candidate = candidateLineage(scope);
  const stored = session?.worktree_lineage_keys?.[worktreeKey(scope)];
  if (stored === undefined || stored === candidate || !isDetachedLineage(stored)) return candidate;
  const before = session?.repo_heads?.[worktreeKey(scope)];
  if (before === undefined) return candidate;
  if (before === scope.head) return stored;
  const grown = isAncestor(before, scope.head);
  if (grown === undefined) throw new NeedsAncestry(before, scope.head);
  return grown ? stored : candidate;
}

/** Keys under which commits of this position are counted. */
export function sequenceKeys(scope: Scope, lineage: string): string[] {
  if (scope.branch === "") return [worktreeKey(scope)];
  return isDetachedLineage(lineage) ? [worktreeKey(scope), branchKey(scope)] : [branchKey(scope)];
}
