import type { Decision } from "../../src/reminder/decision.ts";
import type { Ask, Place } from "../../src/reminder/facts.ts";
import type { ReminderInput } from "../../src/reminder/input.ts";
import type { Scope } from "../../src/reminder/lineage.ts";
import { decide } from "../../src/reminder/policy.ts";
import { type Delivery, type FixSession, type Session, sessionKey } from "../../src/reminder/state.ts";
import { FakeGit } from "./fake-git.ts";

export const scope: Scope = { worktreeRoot: "/r", trackedRoot: "/r", head: "c1", branch: "main" };
export const lineage = "/r\0main";
export const worktree = "/r\0worktree\0/r";

/** Changes to the usual event, its place spelled out. */
export type Change = Partial<Omit<ReminderInput, "place" | "commit">> &
  Partial<Omit<Place, "scope">> & {
    /** Null: outside of git. */
    scope?: Scope | null;
    /** The verb of a command that can commit, and more of it. */
    commit?: string | ReminderInput["commit"];
  };

/** Plays events against one state, as the ledger would. The session is `claude:s1` unless the event says otherwise. */
export function play(defaults: Change = {}) {
  const sessions = new Map<string, Session>();
  const fixSessions = new Map<string, FixSession>();
  const deliveries = new Map<string, Delivery>();
  const git = new FakeGit();
  let ids = 0;
  return {
    git,
    sessions,
    fixSessions,
    deliveries,
    get session() {
      return sessions.get("claude:s1") as Session;
    },
    send(
      event: ReminderInput["event"],
      openFailed: number[] | undefined,
      more: Change = {},
    ): Decision & { newId: string } {
      const change = { ...defaults, ...more };
      const { scope: given, tracked = true, identity, snoozedUntil, commit, ...rest } = change;
      const place: Place | undefined =
        given === null
          ? undefined
          : {
              scope: given ?? scope,
              tracked,
              openFailed: "openFailed" in change ? change.openFailed : openFailed,
              ...(identity === undefined ? {} : { identity }),
              ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
            };
      const input: ReminderInput = {
        event,
        agent: "claude",
        sessionId: "s1",
        place,
        ...(commit === undefined
          ? {}
          : { commit: typeof commit === "string" ? { verb: commit, background: false } : commit }),
        thresholds: { turn: 5, commits: 0, failedReviews: 4 },
        instruction: "",
        ...(event === "PreToolUse" ? {} : { channel: event === "Stop" ? "block" : "context" }),
        optedOut: false,
        turns: { activeFlag: "silences" },
        isElsewhere: false,
        endsTurn: event === "Stop",
        wakeUp: false,
        fromSubagent: false,
        ask: ((question) => git.answer(question)) as Ask,
        now: new Date("2026-01-02T03:04:05Z"),
        newId: `id${++ids}`,
        ...rest,
      };
      const key = sessionKey(input.agent, input.sessionId);
      const decision = decide(
        {
          session: sessions.get(key),
          fixSession: (place) => fixSessions.get(place),
          delivery: (id) => deliveries.get(id),
        },
        input,
      );
      if (decision.session) sessions.set(key, decision.session);
      for (const [place, fix] of Object.entries(decision.fixSessions ?? {})) {
        if (fix === null) fixSessions.delete(place);
        else fixSessions.set(place, fix);
      }
      for (const [id, delivery] of Object.entries(decision.deliveries ?? {})) deliveries.set(id, delivery);
      return { ...decision, newId: input.newId };
    },
  };
}
