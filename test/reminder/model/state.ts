import type { Decision } from "../../../src/reminder/decision.ts";
import { factKey, knownFacts, NeedsFact } from "../../../src/reminder/facts.ts";
import { decide } from "../../../src/reminder/policy.ts";
import { type Delivery, type FixSession, type Session, sessionKey } from "../../../src/reminder/state.ts";
import type { Conversation } from "./conversation.ts";
import type { Input } from "./hooks.ts";
import type { World } from "./world.ts";

const maxQuestions = 100;

/** The state as the ledger keeps it: what an event leaves has been to disk and back before the next one. */
export class PolicyState {
  readonly sessions = new Map<string, Session>();
  readonly fixSessions = new Map<string, FixSession>();
  readonly deliveries = new Map<string, Delivery>();

  fork(): PolicyState {
    const copy = new PolicyState();
    for (const [key, session] of this.sessions) copy.sessions.set(key, session);
    for (const [key, fix] of this.fixSessions) copy.fixSessions.set(key, fix);
    for (const [key, delivery] of this.deliveries) copy.deliveries.set(key, delivery);
    return copy;
  }

  /** What the event does, as the daemon finds it out: question by question, each time from the start. */
  decide(input: Input, world: World): Decision {
    const known = new Map<string, unknown>();
    const before = {
      session: this.sessions.get(sessionKey(input.agent, input.sessionId)),
      fixSession: (key: string) => this.fixSessions.get(key),
      delivery: (id: string) => this.deliveries.get(id),
    };
    for (;;) {
      try {
        return decide(before, { ...input, ask: knownFacts(known) });
      } catch (error) {
        if (!(error instanceof NeedsFact) || known.size >= maxQuestions) throw error;
        known.set(factKey(error.question), world.answer(error.question));
      }
    }
  }

  apply({ agent, sessionId }: Input, decision: Decision): void {
    if (decision.session) this.sessions.set(sessionKey(agent, sessionId), written(decision.session));
    for (const [key, fix] of Object.entries(decision.fixSessions ?? {})) {
      if (fix === null) this.fixSessions.delete(key);
      else this.fixSessions.set(key, written(fix));
    }
    for (const [id, delivery] of Object.entries(decision.deliveries ?? {}))
      this.deliveries.set(id, written(delivery));
  }

  /** As `agent-hook fix-done`. */
  fixDone(id: string | undefined): void {
    for (const [key, fix] of this.fixSessions) if (fix.id === id) this.fixSessions.delete(key);
  }

  /** As `agent-hook reset` of one agent's session. */
  reset({ key, name, sessionId }: Conversation): void {
    this.sessions.delete(key);
    for (const table of [this.fixSessions, this.deliveries])
      for (const [id, row] of table) if (row.agent === name && row.session_id === sessionId) table.delete(id);
  }
}

/** A row after a trip to disk, which must change nothing of it. */
function written<T>(row: T): T {
  const copy = JSON.parse(JSON.stringify(row)) as T;
  if (!Bun.deepEquals(copy, row, true)) throw new Error(`JSON changes ${JSON.stringify(row)}`);
  return copy;
}
