import type { Decision } from "../../reminder/decision.ts";
import { factKey, knownFacts, NeedsFact, type Question } from "../../reminder/facts.ts";
import type { ReminderInput } from "../../reminder/input.ts";
import { decide } from "../../reminder/policy.ts";
import { findSession, type Session, type StagedState, sessionKey } from "../../reminder/state.ts";
import type { HookLedger } from "../../store/hook-state/ledger.ts";

/** An event as the policy is told of it; it raises its questions itself. */
export type DecisionInput = Omit<ReminderInput, "ask">;

export interface Decided<T> {
  /** What it was decided on. */
  input: DecisionInput;
  decision: Decision;
  /** The session before and after, as far as there is one. */
  before: Session | undefined;
  after: Session | undefined;
  composed: T;
}

/** What a decision needs to know from outside of the state. */
export interface Sources {
  /** The event and its place as they are now. */
  look(): Promise<DecisionInput>;
  answer(question: Question): Promise<unknown>;
}

/** More questions than any state of a session can raise. */
const maxQuestions = 1000;
/** How often an event is looked at again because others of its session were decided meanwhile. */
const maxLooks = 5;

/**
 * The decision on an event, durable. It is taken in the ledger's order on the state as it is then; what git or the
 * database must say for it is asked outside, after which it is taken anew. Until it is written, a caller that is gone
 * consumes nothing.
 */
export async function decideDurably<T>(
  ledger: Pick<HookLedger, "transact" | "published">,
  session: { agent: string; id: string },
  { look, answer }: Sources,
  signal: AbortSignal,
  compose: (decision: Decision) => T,
): Promise<Decided<T>> {
  const find = (get: (key: string) => Session | undefined) => findSession(get, session.agent, session.id);
  for (let looks = 1; ; looks++) {
    const seen = find((key) => ledger.published.sessions.get(key))?.session;
    const input = await look();
    const known = new Map<string, unknown>();
    const attempt = () =>
      ledger.transact((staged) => {
        signal.throwIfAborted();
        const found = find((key) => staged.sessions.get(key));
        // An older look at HEAD would take back what an event that overtook this one has counted.
        if (looks < maxLooks && found?.session !== seen) return undefined;
        return apply(staged, found, { ...input, ask: knownFacts(known) }, compose);
      });
    const decided = await asking(attempt, known, answer, signal);
    if (decided !== undefined) return { input, ...decided };
  }
}

/** Attempts a decision until everything that it needs is known. */
async function asking<T>(
  attempt: () => Promise<T>,
  known: Map<string, unknown>,
  answer: Sources["answer"],
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NeedsFact) || known.size >= maxQuestions) throw error;
      known.set(factKey(error.question), await answer(error.question));
      signal.throwIfAborted();
    }
  }
}

function apply<T>(
  staged: StagedState,
  found: ReturnType<typeof findSession>,
  input: ReminderInput,
  compose: (decision: Decision) => T,
): Omit<Decided<T>, "input"> {
  const { agent, sessionId } = input;
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
