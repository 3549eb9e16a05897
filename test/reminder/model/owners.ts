import type { World } from "./world.ts";

interface Owner {
  session: string;
  fixSessionId: string;
  ids: Set<number>;
  expiresMs: number;
  asked: number;
}

const twelveHoursMs = 12 * 3_600_000;
const mostAsked = 3;

/** Who is busy with the reviews of each working tree, told by what was delivered. */
export class Owners {
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly world: World) {}

  /** The session that is busy there; undefined: none. */
  of(worktree: string): Owner | undefined {
    const owner = this.owners.get(worktree);
    if (owner === undefined || owner.expiresMs <= this.world.nowMs) return undefined;
    return [...owner.ids].some(this.world.isOpen) ? owner : undefined;
  }

  /** The end of a turn there: whoever has nothing left to do, or was asked often enough, is free. */
  turnEnds(session: string, worktree: string, isBlocked: boolean): void {
    const owner = this.owners.get(worktree);
    if (owner?.session !== session) return;
    if (owner.asked >= mostAsked || (!isBlocked && this.of(worktree) === undefined)) this.release(worktree);
  }

  told(
    session: string,
    worktree: string,
    what: { fixSessionId: string; ids: number[]; isCloseOut: boolean },
  ) {
    const owner = this.of(worktree);
    const { fixSessionId, ids, isCloseOut } = what;
    if (owner !== undefined) {
      for (const id of ids) owner.ids.add(id);
      if (isCloseOut) owner.asked++;
      return;
    }
    this.owners.set(worktree, {
      session,
      fixSessionId,
      ids: new Set(ids),
      expiresMs: this.world.nowMs + twelveHoursMs,
      asked: 0,
    });
  }

  release(worktree: string): void {
    this.owners.delete(worktree);
  }

  forget(session: string): void {
    for (const [worktree, owner] of this.owners) if (owner.session === session) this.release(worktree);
  }
}
