import type { Scope } from "../../src/reminder/lineage.ts";
import { type Decision, decide, type ReminderInput } from "../../src/reminder/policy.ts";
import type { Session } from "../../src/reminder/state.ts";

export const scope: Scope = { worktreeRoot: "/r", trackedRoot: "/r", head: "c1", branch: "main" };
export const lineage = "/r\0main";

/** Plays events against one session, as the ledger would. */
export function play(defaults: Partial<ReminderInput> = {}) {
  let session: Session | undefined;
  return {
    get session() {
      return session as Session;
    },
    send(
      event: ReminderInput["event"],
      openFailed: number[] | undefined,
      more: Partial<ReminderInput> = {},
    ): Decision {
      const decision = decide(session, {
        event,
        scope,
        tracked: true,
        openFailed,
        thresholds: { turn: 5, failedReviews: 4 },
        channel: event === "Stop" ? "block" : "context",
        optedOut: false,
        turns: { activeFlag: "silences" },
        endsTurn: event === "Stop",
        wakeUp: false,
        fromSubagent: false,
        isAncestor: () => undefined,
        now: new Date("2026-01-02T03:04:05Z"),
        ...defaults,
        ...more,
      });
      session = decision.session ?? session;
      return decision;
    },
  };
}
