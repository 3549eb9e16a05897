import type { Ask } from "./facts.ts";
import type { ReminderInput } from "./input.ts";
import type { FixSession } from "./state.ts";

const lifetimeMs = 12 * 3_600_000;

/** How often the owner is asked to finish before the working tree is free again. */
export const maxCloseOuts = 3;

type Owner = Pick<ReminderInput, "agent" | "sessionId">;

export const isOwner = (fix: FixSession, { agent, sessionId }: Owner): boolean =>
  fix.agent === agent && fix.session_id === sessionId;

/** Its time is over, or cannot be told; nor does it hold anybody up for as long as a clock that was set back makes it. */
export function isExpired({ expires_at }: FixSession, now: Date): boolean {
  const leftMs = Date.parse(expires_at) - now.getTime();
  return !(leftMs > 0 && leftMs <= 2 * lifetimeMs);
}

/** Reviews that a fix session still has to finish; undefined: it holds nothing any more. */
export function unfinished(fix: FixSession | undefined, now: Date, ask: Ask): number[] | undefined {
  if (fix === undefined || isExpired(fix, now)) return undefined;
  if (fix.review_ids.length === 0) return []; // another release did not store them
  const settled = ask({ ask: "settled", ids: fix.review_ids });
  const open = fix.review_ids.filter((id) => !settled.includes(id));
  return open.length === 0 ? undefined : open;
}

/** The fix session with which a session takes these reviews on; undefined: another session is busy in the worktree. */
export function grant(
  before: FixSession | undefined,
  wanted: { worktree: string; lineage: string; ids: number[] },
  { agent, sessionId, now, newId, ask }: Owner & Pick<ReminderInput, "now" | "newId" | "ask">,
): FixSession | undefined {
  if (before !== undefined && unfinished(before, now, ask) !== undefined) {
    if (!isOwner(before, { agent, sessionId })) return undefined;
    return { ...before, review_ids: [...new Set([...before.review_ids, ...wanted.ids])] };
  }
  return {
    id: newId,
    agent,
    session_id: sessionId,
    worktree: wanted.worktree,
    lineage: wanted.lineage,
    review_ids: wanted.ids,
    close_outs: 0,
    expires_at: new Date(now.getTime() + lifetimeMs).toISOString(),
  };
}
