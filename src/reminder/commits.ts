import { committingVerbs, integratingVerbs } from "../lib/git-verbs.ts";
import type { Ask, CommitRule } from "./facts.ts";
import { lineageAfterCommit, type Scope, sequenceKeys, worktreeKey } from "./lineage.ts";
import { withEntry, withoutKeys } from "./session-maps.ts";
import type { OpenCommand, Session } from "./state.ts";

/** Commits remembered per key: beyond, a reminder was due long ago. */
const maxPending = 1000;

/** A command that moved HEAD, and where HEAD stood before it; `open` is absent when nothing was seen of it before. */
export interface CommitCommand {
  verb: string;
  open?: OpenCommand;
}

/** Commits that wait for a reminder under these keys, each once however many keys know it. */
export function pendingCommits(session: Session | undefined, keys: readonly string[]): number {
  const shas = new Set<string>();
  let counted = 0;
  for (const key of keys) {
    for (const sha of session?.commit_shas_since_prompt?.[key] ?? []) shas.add(sha);
    counted += session?.commit_counts_since_prompt?.[key] ?? 0;
  }
  return shas.size + counted;
}

/** The session after a command that may have committed: what HEAD says it made is counted, and the baselines move. */
export function countCommits(session: Session, scope: Scope, command: CommitCommand, ask: Ask): Session {
  const here = worktreeKey(scope);
  const isSameWork = command.open?.branch === scope.branch || pendingCommits(session, [here]) > 0;
  const lineage = lineageAfterCommit(session, scope, isSameWork, ask);
  const keys = sequenceKeys(scope, lineage);
  const made = new Set<string>();
  let next = session;
  for (const key of keys) {
    const change = changeOf(session, key, scope, command, ask);
    if (change === undefined) continue;
    for (const sha of change.made) made.add(sha);
    next = withPending(next, key, change);
  }
  const counted: Session =
    made.size === 0
      ? next
      : {
          ...next,
          commit_count: (next.commit_count ?? 0) + made.size,
          last_commit_repo: scope.trackedRoot,
          last_commit_head: scope.head,
        };
  return moveBaselines(counted, scope, lineage, keys);
}

/** HEAD as it is now is where the next command starts from. */
export function moveBaselines(
  session: Session,
  scope: Scope,
  lineage: string,
  keys: readonly string[],
): Session {
  const here = worktreeKey(scope);
  const isKnown = (key: string) => session.repo_heads?.[key] === scope.head;
  const isSameLine = session.worktree_lineage_keys?.[here] === lineage;
  // As after nearly every command.
  if (isSameLine && isKnown(here) && keys.every(isKnown)) return session;
  const heads = { ...session.repo_heads, [here]: scope.head };
  for (const key of keys) heads[key] = scope.head;
  const moved: Session = { ...session, repo_heads: heads };
  return isSameLine
    ? moved
    : { ...moved, worktree_lineage_keys: { ...session.worktree_lineage_keys, [here]: lineage } };
}

interface Change {
  /** What was pending and still is, then what is new. */
  pending: string[];
  made: string[];
  rewritten: boolean;
}

/** What a key's commits have become; undefined when nothing happened or nothing was known of it before. */
function changeOf(
  session: Session,
  key: string,
  scope: Scope,
  { verb, open }: CommitCommand,
  ask: Ask,
): Change | undefined {
  const isSwitched = open !== undefined && open.branch !== scope.branch;
  const known = isSwitched ? session.repo_heads?.[key] : (open?.head ?? session.repo_heads?.[key]);
  const from = known ?? open?.head;
  const { head: to, worktreeRoot: worktree } = scope;
  if (from === undefined || from === to) return undefined;
  const pending = session.commit_shas_since_prompt?.[key] ?? [];
  const between = (rule: CommitRule) =>
    ask({ ask: "commits", worktree, from, to, rule, ...(open ? { sinceMs: Date.parse(open.at) } : {}) });
  const isIntegrating = integratingVerbs.includes(verb);
  // Where the command itself went, what had been there before is not its doing; nor are the copies of a rebase new.
  const madeThere = () => (isIntegrating ? [] : between("made"));
  if (known === undefined || ask({ ask: "ancestor", worktree, ancestor: from, descendant: to })) {
    const made = isSwitched ? madeThere() : between(ruleFor(verb, open));
    return { pending, made: made.filter((sha) => !pending.includes(sha)), rewritten: false };
  }
  const kept = pending.length === 0 ? [] : ask({ ask: "reachable", worktree, shas: pending, tip: to });
  // A step back to where the line had been is no commit, whatever the command did before it; and the end of a commit
  // that failed may be lost, so that what moves HEAD next only goes back.
  const isOwn = isSwitched
    ? madeThere().includes(to)
    : !ask({ ask: "ancestor", worktree, ancestor: to, descendant: from }) &&
      (committingVerbs.includes(verb) || (!isIntegrating && between(ruleFor(verb, open)).includes(to)));
  return { pending: kept, made: isOwn && !kept.includes(to) ? [to] : [], rewritten: true };
}

/**
 * A command that commits may also push, after which a remote-tracking ref reaches what it made. One that brings in the
 * commits of others may do so in the very second in which they were made.
 */
function ruleFor(verb: string, open: OpenCommand | undefined): CommitRule {
  const bringsOthers = verb === "merge" || integratingVerbs.includes(verb);
  return open !== undefined && !bringsOthers ? "either" : "unpublished";
}

function withPending(session: Session, key: string, { pending, made, rewritten }: Change): Session {
  // A number of an older release says nothing about which commits were rewritten.
  const known = rewritten ? withoutKeys(session, "commit_counts_since_prompt", [key]) : session;
  const shas = [...pending, ...made].slice(-maxPending);
  return shas.length === 0
    ? withoutKeys(known, "commit_shas_since_prompt", [key])
    : withEntry(known, "commit_shas_since_prompt", key, shas);
}
