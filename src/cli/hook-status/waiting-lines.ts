import type { ShownFixSession } from "../../daemon/api/responses.ts";
import { elapsedText } from "../../lib/job-text.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { PendingReminder } from "../../reminder/state.ts";
import { tableLines } from "../table.ts";
import { checkoutName } from "./place-name.ts";
import { type Around, ago, type Entry } from "./session-lines.ts";

const maxQueued = 20;

/** One line a queued reminder, in the order of the sessions. */
export function queuedLines(sessions: readonly Entry[], { now, name }: Around): string[] {
  const waiting = sessions.flatMap(([key, session]) =>
    Object.values(session.pending_reminders ?? {}).map((pending) => ({ key, pending })),
  );
  if (waiting.length === 0) return [];
  const more = waiting.length - maxQueued;
  const shown = tableLines(
    ["Session", "Queued", "Because of", "Where"],
    // A short name is looked for among all sessions.
    waiting
      .slice(0, maxQueued)
      .map(({ key, pending }) => [
        name(key),
        ago(pending.created_at, now),
        countOf(pending),
        checkoutName(pending.worktree_root, pending.branch),
      ]),
  );
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

const countOf = (pending: PendingReminder): string =>
  pending.triggered_by === "commit"
    ? plural(pending.commit_count ?? 0, "commit")
    : plural(pending.failed_review_count ?? 0, "failed review");

/** Three lines a fix session: who is busy with what, when that ends, and how to end it by hand. */
export function fixLines({ fixes, now, name }: Around): string[] {
  return [...fixes.values()].flatMap((fix) => {
    const left = elapsedText(Date.parse(fix.expires_at) - now.getTime());
    return [
      `${name(`${fix.agent}:${fix.session_id}`)} is busy with ${reviewsOf(fix)} in ${singleLine(fix.worktree)}`,
      `  until ${openOf(fix).length === 1 ? "it is" : "they are"} closed, for ${left} at most; ${askedText(fix.close_outs)}`,
      `  end it now: roborev agent-hook fix-done ${singleLine(fix.id)}`,
    ];
  });
}

const openOf = (fix: ShownFixSession): number[] => fix.open_review_ids ?? fix.review_ids;

function reviewsOf(fix: ShownFixSession): string {
  const ids = openOf(fix);
  return ids.length === 0 ? "reviews" : `${ids.length === 1 ? "review" : "reviews"} ${idList(ids, 26)}`;
}

const askedText = (times: number): string =>
  times === 0 ? "not asked to finish yet" : `asked to finish ${plural(times, "time")}`;

/** `13, 12, 11`; a list that is too long ends with how many more there are: `104, 103 +2`. */
export function idList(ids: readonly number[], columns: number): string {
  for (let shown = ids.length; shown > 1; shown--) {
    const more = shown < ids.length ? ` +${ids.length - shown}` : "";
    const text = `${ids.slice(0, shown).join(", ")}${more}`;
    if (text.length <= columns) return text;
  }
  return ids.length > 1 ? `${ids[0]} +${ids.length - 1}` : ids.join("");
}
