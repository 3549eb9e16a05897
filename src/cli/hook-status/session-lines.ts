import type { HookStateResponse, ShownFixSession } from "../../daemon/api/responses.ts";
import { elapsedText } from "../../lib/job-text.ts";
import { plural } from "../../lib/text.ts";
import type { Session } from "../../reminder/state.ts";
import { tableLines } from "../table.ts";
import { placeName } from "./place-name.ts";

export type Entry = readonly [key: string, session: Session];

/** Sessions by the time of their last event, the latest first. */
export function byLastSeen(sessions: HookStateResponse["sessions"]): Entry[] {
  return Object.entries(sessions).sort(([, a], [, b]) => seenMs(b) - seenMs(a));
}

const seenMs = (session: Session): number => Date.parse(session.last_seen_at ?? "") || 0;

/** What the lines of a session are made with beside the session itself. */
export interface Around {
  now: Date;
  name(key: string): string;
  /** Fix sessions that last, by the key of their working tree. */
  fixes: ReadonlyMap<string, ShownFixSession>;
}

/** One line a session, and below it what it counts and what keeps it from being told. */
export function sessionLines(shown: readonly Entry[], around: Around): string[] {
  const [header = "", ...rows] = tableLines(
    ["Session", "Last event", "Turns", "Commits", "Reminders", "Not told yet"],
    shown.map(([key, session]) => [
      around.name(key),
      ago(session.last_seen_at, around.now),
      String(session.count),
      String(session.commit_count ?? 0),
      String(session.remind_count ?? 0),
      String(session.failed_review_count ?? 0),
    ]),
  );
  const below = (index: number) => (shown[index] ? detailLines(shown[index], around) : []);
  return [header, ...rows.flatMap((row, index) => [row, ...below(index).map((line) => `  ${line}`)])];
}

function detailLines([key, session]: Entry, around: Around): string[] {
  const { would_trigger: would } = session;
  return [
    ...countedLines(session),
    ...(would ? [`would have been reminded ${ago(would.at, around.now)}: cursor_followup is off`] : []),
    ...((session.failed_review_count ?? 0) > 0 ? waitLines(key, session, around) : []),
  ];
}

const maxPlaces = 4;

/** Turns and commits towards the next reminder, by place. */
function countedLines(session: Session): string[] {
  const turns = session.stop_counts_since_prompt ?? {};
  const shas = session.commit_shas_since_prompt ?? {};
  const commits = session.commit_counts_since_prompt ?? {};
  const places = [...new Set([turns, shas, commits].flatMap(Object.keys))].sort();
  const lines = places.slice(0, maxPlaces).map((place) => {
    const commitCount = (shas[place]?.length ?? 0) + (commits[place] ?? 0);
    const counted = [
      ...(turns[place] ? [plural(turns[place], "turn")] : []),
      ...(commitCount ? [plural(commitCount, "commit")] : []),
    ];
    return `${counted.join(", ")} so far ${placeName(place)}`;
  });
  return places.length > maxPlaces ? [...lines, `and in ${places.length - maxPlaces} more places`] : lines;
}

/** Who is busy where this session would be told something. */
function waitLines(key: string, session: Session, { fixes, name }: Around): string[] {
  return Object.keys(session.worktree_lineage_keys ?? {}).flatMap((worktree) => {
    const fix = fixes.get(worktree);
    const owner = fix && `${fix.agent}:${fix.session_id}`;
    if (owner === undefined || owner === key || fix?.session_id === key) return [];
    return [`waits for the fix session of ${name(owner)} ${placeName(worktree)}`];
  });
}

/** `3m07s ago`; `never` for a time that is not known. */
export function ago(time: string | undefined, now: Date): string {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? "never" : `${elapsedText(now.getTime() - ms)} ago`;
}
