import type { Decision } from "../../reminder/decision.ts";
import { factKey, knownFacts, NeedsFact, type Question } from "../../reminder/facts.ts";
import type { ReminderInput } from "../../reminder/input.ts";
import { decide } from "../../reminder/policy.ts";
import { findSession, type Session, type StagedState, sessionKey } from "../../reminder/state.ts";
import type { HookLedger } from "../../store/hook-state/ledger.ts";

export interface Decided<T> {
  decision: Decision;
  /** The session before and after, as far as there is one. */
  before: Session | undefined;
  after: Session | undefined;
  composed: T;
}

/** More questions than any state of a session can raise. */
const maxQuestions = 1000;

/**
 * The decision on an event, durable. It is taken in the ledger's order on the state as it is then; what git or the
 * database must say for it is asked outside, after which it is taken anew. Until it is written, a caller that is gone
 * consumes nothing.
 */
export async function decideDurably<T>(
  ledger: Pick<HookLedger, "transact">,
  input: Omit<ReminderInput, "ask">,
  answer: (question: Question) => Promise<unknown>,
  signal: AbortSignal,
  compose: (decision: Decision) => T,
): Promise<Decided<T>> {
  const known = new Map<string, unknown>();
  const ask = knownFacts(known);
  for (;;) {
    try {
      return await ledger.transact((staged) => {
        signal.throwIfAborted();
        return apply(staged, { ...input, ask }, compose);
      });
    } catch (error) {
      if (!(error instanceof NeedsFact) || known.size >= maxQuestions) throw error;
      known.set(factKey(error.question), await answer(error.question));
      signal.throwIfAborted();
    }
  }
}

function apply<T>(staged: StagedState, input: ReminderInput, compose: (decision: Decision) => T): Decided<T> {
  const { agent, sessionId } = input;
  const found = findSession((key) => staged.sessions.get(key), agent, sessionId);
  const before = {
    session: found?.session,
    fixSession: (key: string) => staged.fixSessions.get(key),
    delivery: (id: string) => staged.deliveries.get(id),
  };
  const decision = decide(before, input);
  const composed = compose(decision);
  if (decision.session) {
    const key = sessionKey(agent, sessionId);
    if (found && found.key !== key) staged.sessions.forget(found.key);
    staged.sessions.put(key, decision.session);
  }
  for (const [key, fix] of Object.entries(decision.fixSessions ?? {})) {
    if (fix === null) staged.fixSessions.forget(key);
    else staged.fixSessions.put(key, fix);
  }
  for (const [id, delivery] of Object.entries(decision.deliveries ?? {})) staged.deliveries.put(id, delivery);
  return { decision, before: found?.session, after: decision.session ?? found?.session, composed };
}
