import type { DeliveryRecord, HookStateResponse, ShownFixSession } from "../../daemon/api/responses.ts";
import type { ActiveSnooze } from "../../store/schema.ts";
import type { Output } from "../output.ts";
import { snoozeTable } from "../snooze-table.ts";
import { deliveryLines, keyOf } from "./delivery-lines.ts";
import { type Around, byLastSeen, sessionLines } from "./session-lines.ts";
import { sessionNames } from "./session-name.ts";
import { fixLines, queuedLines } from "./waiting-lines.ts";

export interface HookStatusReport extends Pick<HookStateResponse, "sessions" | "fix_sessions"> {
  snoozes: readonly ActiveSnooze[];
  /** That reminders are switched off, and by whom. */
  off: readonly string[];
  /** Newest first. */
  latest: readonly DeliveryRecord[];
}

const maxSessions = 20;

/** The screen of `agent-hook status`. */
export function hookStatusText(report: HookStatusReport, now: Date, out: Output): string {
  const sessions = byLastSeen(report.sessions);
  const fixes = lasting(report.fix_sessions ?? {}, now);
  const names = sessionNames([
    ...Object.keys(report.sessions),
    ...[...fixes.values()].map((fix) => `${fix.agent}:${fix.session_id}`),
    ...report.latest.map(keyOf),
  ]);
  const around: Around = { now, fixes, name: names };
  const more = sessions.length - maxSessions;
  const look = { name: names, paint: stagePaint(out) };
  return [
    ...(report.off.length > 0 ? [...report.off, ""] : []),
    ...(sessions.length === 0
      ? ["No coding-agent session has been seen yet. Hooks are checked by: roborev agent-hook doctor"]
      : sessionLines(sessions.slice(0, maxSessions), around)),
    ...(more > 0 ? [`and ${more} more, all in: roborev agent-hook status --json`] : []),
    ...section(
      "Queued for the end of a turn or the next prompt, once checked out as shown",
      queuedLines(sessions, around),
    ),
    ...section("Fix sessions (nobody else is reminded in the same working tree)", fixLines(around)),
    ...section("Snoozed", report.snoozes.length === 0 ? [] : snoozeTable(report.snoozes)),
    ...section("Delivered last", report.latest.length === 0 ? [] : deliveryLines(report.latest, now, look)),
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];

/** Without those that hold nobody up any more: expired, or with nothing left to do. */
function lasting(fixes: Record<string, ShownFixSession>, now: Date): Map<string, ShownFixSession> {
  const isOver = ({ expires_at, open_review_ids: open }: ShownFixSession) =>
    !(Date.parse(expires_at) > now.getTime()) || open?.length === 0;
  return new Map(Object.entries(fixes).filter(([, fix]) => !isOver(fix)));
}

/** Only what is confirmed is known to have arrived. */
export const stagePaint =
  (out: Output) =>
  (text: string, confirmed: boolean): string =>
    confirmed ? out.paint("green", text) : out.paint("yellow", text);
