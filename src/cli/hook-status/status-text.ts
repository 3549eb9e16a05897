import type { DeliveriesResponse } from "../../daemon/api/responses.ts";
import type { FixSession } from "../../reminder/state.ts";
import type { Output } from "../output.ts";
import { deliveryLines } from "./delivery-lines.ts";
import { byLastSeen, fixLines, pendingLines, type Sessions, sessionLines } from "./session-lines.ts";

export interface HookStatusReport {
  sessions: Sessions;
  fix_sessions?: Record<string, FixSession>;
  latest: DeliveriesResponse["deliveries"];
}

export const maxSessions = 20;

/** The screen of `agent-hook status`. */
export function hookStatusText(report: HookStatusReport, now: Date, out: Output): string {
  const sessions = byLastSeen(report.sessions);
  if (sessions.length === 0) return "No coding-agent session has been seen yet.";
  const shown = sessions.slice(0, maxSessions);
  const more = sessions.length - shown.length;
  const fixes = fixLines(Object.values(report.fix_sessions ?? {}), now);
  const pending = pendingLines(sessions, now);
  const latest = report.latest.length === 0 ? [] : deliveryLines(report.latest, now, stagePaint(out));
  return [
    ...sessionLines(shown, now),
    ...(more > 0 ? [`and ${more} more, all in: roborev agent-hook status --json`] : []),
    ...section("Waiting for the end of a turn", pending),
    ...section("Fix sessions, one in a working tree", fixes),
    ...section(
      "Delivered last",
      latest.map((line) => `  ${line}`),
    ),
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines];

/** Only what is confirmed is known to have arrived. */
export const stagePaint =
  (out: Output) =>
  (text: string, confirmed: boolean): string =>
    confirmed ? out.paint("green", text) : out.paint("yellow", text);
