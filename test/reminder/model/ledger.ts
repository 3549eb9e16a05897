import type { Input } from "./hooks.ts";
import type { Repository } from "./repository.ts";
import { Waiting } from "./waiting.ts";
import type { World } from "./world.ts";

/** A command that may commit, from its start until the session is seen again with HEAD elsewhere. */
interface Window {
  worktree: string;
  branch: string;
  sha: string;
  verb: string;
  /** Commits that had been made here before. */
  made: number;
  openedMs: number;
  id?: string;
}

const makesHead = ["commit", "cherry-pick", "merge"];
const integrates = (verb: string): boolean => verb === "rebase" || verb === "pull";
const bringsOthers = (verb: string): boolean => verb === "merge" || integrates(verb);
const hourMs = 3_600_000;

export const placeOf = (worktree: string, branch: string): string =>
  branch === "" ? worktree : `${worktree === "/b" ? "/b" : "/a"} ${branch}`;

/** A detached line keeps its lineage when a branch is attached to it. */
export const isDetachedLineage = (key: string): boolean => key.includes("\0detached\0");

/**
 * What one session has done, by the history of the world. Countable is what the line of HEAD has beyond where it stood
 * when a command began, once the session is seen again, if it was made since or no remote has it; who made it meanwhile
 * is not asked. Not countable is
 * - what is not on HEAD's first-parent line by then: it was reset, or left on another branch;
 * - after a rewrite, everything but HEAD, and HEAD of a command that cannot have made it;
 * - on a branch that the command came to, what it has not made; of a rebase or pull, anything there;
 * - of merge, rebase and pull, what a remote has;
 * - what a remote has of a command with no start on record: it was not seen, or an hour ago, or the session was seen
 *   with HEAD elsewhere since and took that for its end;
 * - what is seen while its place is snoozed.
 */
export class Ledger {
  turns = 0;
  commits = 0;
  readonly turnsSince = new Map<string, number>();
  readonly told = new Map<string, Set<number>>();
  /** Commits since the last reminder, per place. */
  readonly pending = new Map<string, string[]>();
  /** Places whose commits were counted for a detached line and a branch at once: the model takes the policy's word. */
  readonly vague = new Set<string>();
  readonly waiting: Waiting;
  private windows: Window[] = [];
  private readonly lastHead = new Map<string, string>();

  constructor(private readonly world: World) {
    this.waiting = new Waiting(world);
  }

  /** Before the decision: every command of the session that has got somewhere is counted. */
  see({ event, place: here, commit }: Input): void {
    const worktree = here?.scope.worktreeRoot;
    const isEnd = commit !== undefined && worktree !== undefined && event.startsWith("PostToolUse");
    const fresh = this.windows.filter((open) => open.openedMs > this.world.nowMs - hourMs);
    const ended = isEnd
      ? (this.windows.find((open) => open.id !== undefined && open.id === commit.toolUseId) ??
        fresh.find(
          (open) => open.worktree === worktree && (open.id === undefined || commit.toolUseId === undefined),
        ))
      : undefined;
    const current = this.windows.filter((open) => open === ended || fresh.includes(open));
    const kept: Window[] = [];
    for (const place of new Set(current.map((open) => open.worktree))) {
      const opens = current.filter((open) => open.worktree === place);
      if (this.isSnoozed(place)) continue;
      const own = opens.find((open) => open === ended) ?? (opens[0] as Window);
      const { branch, sha } = this.world.repository(place).head(place);
      const isThere = this.world.place(place) !== undefined;
      if (isThere && (own.branch !== branch || own.sha !== sha)) {
        this.count({ ...own, verb: (own === ended && commit?.verb) || own.verb });
        kept.push(...opens.filter((open) => open !== own).map((open) => ({ ...open, branch, sha })));
      } else kept.push(...opens.filter((open) => open !== ended || commit?.background));
    }
    this.windows = kept;
    if (isEnd && ended === undefined && !this.isSnoozed(worktree)) this.countUnseen(worktree, commit.verb);
  }

  /** After the decision: where the next command starts from. */
  passed({ event, place, commit }: Input, lineage: string | undefined): void {
    const worktree = place?.scope.worktreeRoot;
    if (worktree === undefined) return;
    const { branch, sha } = this.world.repository(worktree).head(worktree);
    const isTool = event.endsWith("ToolUse") || event.endsWith("Failure");
    // The end of a turn leaves no trace where nothing is tracked.
    if (!isTool && this.world.place(worktree)?.tracked !== true) return;
    this.lastHead.set(placeOf(worktree, ""), sha);
    if (isTool || this.isSnoozed(worktree)) this.lastHead.set(placeOf(worktree, branch), sha);
    if (this.isSnoozed(worktree)) {
      this.restart(worktree, branch, lineage);
      if (lineage !== undefined) this.waiting.forget(lineage);
    } else if (event === "PreToolUse" && commit !== undefined) {
      const made = this.world.repository(worktree).made.length;
      const opened = { worktree, branch, sha, verb: commit.verb, made, openedMs: this.world.nowMs };
      this.windows.push({ ...opened, ...(commit.toolUseId === undefined ? {} : { id: commit.toolUseId }) });
    }
  }

  /** Undefined: not known. */
  commitsSince(place: string): number | undefined {
    return this.vague.has(place) ? undefined : (this.pending.get(place)?.length ?? 0);
  }

  /** The session has committed there, on whatever branch, and was not told of it. */
  hasCommitted(worktree: string): boolean {
    const { root } = this.world.repository(worktree);
    const isThere = (place: string) => place === worktree || place.startsWith(`${root} `);
    return [...this.pending].some(([place, shas]) => shas.length > 0 && isThere(place));
  }

  countTurn(lineage: string): void {
    this.turns++;
    this.turnsSince.set(lineage, (this.turnsSince.get(lineage) ?? 0) + 1);
  }

  /** A reminder about this place, its queueing, or a snooze there. */
  restart(worktree: string, branch: string, lineage: string | undefined): void {
    if (lineage !== undefined) this.turnsSince.delete(lineage);
    this.clear(placeOf(worktree, branch));
    if (branch !== "" && lineage !== undefined && isDetachedLineage(lineage)) this.clear(worktree);
  }

  tell(lineage: string, ids: readonly number[]): void {
    this.told.set(lineage, new Set([...(this.told.get(lineage) ?? []), ...ids]));
  }

  private clear(place: string): void {
    this.pending.delete(place);
    this.vague.delete(place);
  }

  private isSnoozed(worktree: string): boolean {
    return (this.world.place(worktree)?.snoozedUntil?.getTime() ?? 0) > this.world.nowMs;
  }

  private count(open: Window): void {
    const { worktree, verb } = open;
    const repository = this.world.repository(worktree);
    const here = repository.head(worktree);
    const place = placeOf(worktree, here.branch);
    const isSwitched = open.branch !== here.branch;
    const from = isSwitched ? this.lastHead.get(place) : open.sha;
    const isNew = (sha: string) => repository.made.indexOf(sha) >= open.made;
    const published = repository.published();
    const isOwn = (sha: string) =>
      (isNew(sha) && !bringsOthers(verb)) ||
      (isSwitched ? isNew(sha) && verb === "merge" : !published.has(sha));
    this.add(repository, place, here.sha, {
      from: from ?? open.sha,
      isNew: from === undefined,
      isOwn,
      isHeadOwn: (sha) => !integrates(verb) && (isOwn(sha) || (!isSwitched && makesHead.includes(verb))),
    });
    this.lastHead.set(place, here.sha);
    this.lastHead.set(worktree, here.sha);
  }

  private countUnseen(worktree: string, verb: string): void {
    const repository = this.world.repository(worktree);
    const here = repository.head(worktree);
    const place = placeOf(worktree, here.branch);
    const from = this.lastHead.get(place);
    if (from === undefined) return;
    const published = repository.published();
    const isOwn = (sha: string) => !published.has(sha);
    const isHeadOwn = (sha: string) => !integrates(verb) && (isOwn(sha) || makesHead.includes(verb));
    this.add(repository, place, here.sha, { from, isNew: false, isOwn, isHeadOwn });
    this.lastHead.set(place, here.sha);
    this.lastHead.set(worktree, here.sha);
  }

  private add(
    repository: Repository,
    place: string,
    to: string,
    rules: { from: string; isNew: boolean; isOwn(sha: string): boolean; isHeadOwn(sha: string): boolean },
  ): void {
    const { from, isNew, isOwn, isHeadOwn } = rules;
    if (from === to) return;
    const before = this.pending.get(place) ?? [];
    const isGrown = isNew || repository.isAncestor(from, to);
    const reached = repository.reach([to]);
    const known = repository.reach([from]);
    const kept = isGrown ? before : before.filter((sha) => reached.has(sha));
    const candidates = isGrown ? repository.line(to).reverse().filter(isOwn) : [to].filter(isHeadOwn);
    const added = candidates.filter((sha) => !known.has(sha) && !kept.includes(sha));
    this.commits += added.length;
    this.pending.set(place, [...kept, ...added]);
  }
}
