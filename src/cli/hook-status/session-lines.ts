import { plural, singleLine } from "../../lib/text.ts";
import type { FixSession, PendingReminder, Session } from "../../reminder/state.ts";
import { elapsedText } from "../job-text.ts";
import { tableLines } from "../table.ts";
import { checkoutName, placeName } from "./place-name.ts";

export type Sessions = Record<string, Session>;

/** Sessions by the time of their last event, the latest first. */
export function byLastSeen(sessions: Sessions): [string, Session][] {
  return Object.entries(sessions).sort(([, a], [, b]) => seenMs(b) - seenMs(a));
}

const seenMs = (session: Session): number => Date.parse(session.last_seen_at ?? "") || 0;

/** One line a session, and below it what it has gathered since its last reminder. */
export function sessionLines(shown: readonly [string, Session][], now: Date): string[] {
  const [header = "", ...rows] = tableLines(
    ["Session", "Last event", "Turns", "Commits", "Unread", "Reminders"],
    shown.map(([key, session]) => [
      key,
      ago(session.last_seen_at, now),
      String(session.count),
      String(session.commit_count ?? 0),
      String(session.failed_review_count ?? 0),
      String(session.remind_count ?? 0),
    ]),
  );
  return [header, ...rows.flatMap((row, index) => [row, ...sinceLines(shown[index]?.[1])])];
}

/** Turns and commits since the last reminder, by place. */
function sinceLines(session: Session | undefined): string[] {
  const turns = session?.stop_counts_since_prompt ?? {};
  const shas = session?.commit_shas_since_prompt ?? {};
  const places = [...new Set([...Object.keys(turns), ...Object.keys(shas)])].sort();
  return places.map((place) => {
    const counted = [
      ...(turns[place] ? [plural(turns[place], "turn")] : []),
      ...(shas[place] ? [plural(shas[place].length, "commit")] : []),
    ];
    return `  ${counted.join(", ")} on ${placeName(place)} since its last reminder`;
  });
}

export function pendingLines(shown: readonly [string, Session][], now: Date): string[] {
  return shown.flatMap(([key, session]) =>
    Object.values(session.pending_reminders ?? {}).map((pending) => {
      const where = checkoutName(pending.worktree_root, pending.branch);
      return `  ${singleLine(key)}  ${countOf(pending)}  ${where}  queued ${ago(pending.created_at, now)}`;
    }),
  );
}

const countOf = (pending: PendingReminder): string =>
  pending.triggered_by === "commit"
    ? plural(pending.commit_count ?? 0, "commit")
    : plural(pending.failed_review_count ?? 0, "failed review");

/** Two lines a fix session: who is busy with what, and how to end it by hand. */
export function fixLines(fixes: readonly FixSession[], now: Date): string[] {
  return fixes
    .filter((fix) => Date.parse(fix.expires_at) > now.getTime())
    .flatMap((fix) => {
      const reviews = fix.review_ids.length === 0 ? "reviews" : `reviews ${idList(fix.review_ids)}`;
      const left = elapsedText(Date.parse(fix.expires_at) - now.getTime());
      const owner = singleLine(`${fix.agent}:${fix.session_id}`);
      return [
        `  ${singleLine(fix.worktree)}: ${owner} works on ${reviews}, for ${left} more at most`,
        `    end it with: roborev agent-hook fix-done ${singleLine(fix.id)}`,
      ];
    });
}

const maxShown = 8;

/** `11, 12, 13`; long lists end with how many more there are. */
export function idList(ids: readonly number[]): string {
  const shown = ids.slice(0, maxShown).join(", ");
  return ids.length > maxShown ? `${shown} and ${ids.length - maxShown} more` : shown;
}

/** `3m07s ago`; `never` for a time that is not known. */
export function ago(time: string | undefined, now: Date): string {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? "never" : `${elapsedText(now.getTime() - ms)} ago`;
}
