import type { Clock } from "../../lib/clock.ts";
import { isExpired } from "../../reminder/fix-sessions.ts";
import {
  findSession,
  isIdle,
  type Session,
  type StagedState,
  withoutAcknowledgements,
} from "../../reminder/state.ts";
import type { HookLedger } from "../../store/hook-state/ledger.ts";
import type { Store } from "../../store/store.ts";

const monthMs = 30 * 24 * 3_600_000;
const keptDeliveries = 1000;
/** Sessions looked at before other work has its turn: a few milliseconds. */
const sliceLength = 250;

/**
 * Forgets sessions idle for 30 days with nothing pending, acknowledgements of reviews that are gone or were closed
 * 30 days ago, fix sessions that expired or whose session is forgotten, and deliveries of 30 days ago or beyond the
 * newest thousand.
 */
export async function pruneHookState(
  ledger: HookLedger,
  database: <T>(work: (store: Store) => T) => Promise<T>,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const monthAgoMs = now.getTime() - monthMs;
  const { sessions } = ledger.published;
  const keys = [...sessions.keys()];
  const gone = new Map<number, boolean>();
  for (let start = 0; start < keys.length; start += sliceLength) {
    const slice = keys.slice(start, start + sliceLength);
    const unknown = slice.flatMap((key) => acknowledgedIds(sessions.get(key))).filter((id) => !gone.has(id));
    await database(({ reviews }) => {
      for (const id of new Set(unknown)) gone.set(id, isGone(reviews.closedAt(id), monthAgoMs));
    });
    await ledger.transact((staged) => pruneSessions(staged, slice, now, gone));
    await new Promise(setImmediate);
  }
  await ledger.transact((staged) => {
    pruneFixSessions(staged, now);
    pruneDeliveries(staged, monthAgoMs);
  });
}

const acknowledgedIds = (session: Session | undefined): number[] =>
  Object.values(session?.acknowledged_review_ids ?? {}).flatMap((ids) => Object.keys(ids).map(Number));

const isGone = (closedAt: string | undefined, monthAgoMs: number): boolean =>
  closedAt === undefined || Date.parse(closedAt) < monthAgoMs;

function pruneSessions(
  { sessions }: StagedState,
  keys: string[],
  now: Date,
  gone: Map<number, boolean>,
): void {
  for (const key of keys) {
    const session = sessions.get(key);
    if (session === undefined) continue;
    if (isIdle(session, now)) {
      sessions.forget(key);
      continue;
    }
    // What was acknowledged since we asked is not gone.
    const kept = withoutAcknowledgements(session, (id) => gone.get(id) ?? false);
    if (kept !== session) sessions.put(key, kept);
  }
}

function pruneFixSessions({ sessions, fixSessions }: StagedState, now: Date): void {
  for (const key of fixSessions.keys()) {
    const fix = fixSessions.get(key);
    if (fix === undefined) continue;
    const owner = findSession((name) => sessions.get(name), fix.agent, fix.session_id);
    if (isExpired(fix, now) || owner === undefined) fixSessions.forget(key);
  }
}

function pruneDeliveries({ deliveries }: StagedState, oldestMs: number): void {
  for (const [place, key] of deliveries.keys().reverse().entries()) {
    const decidedMs = Date.parse(deliveries.get(key)?.decided_at ?? "");
    if (place >= keptDeliveries || !(decidedMs >= oldestMs)) deliveries.forget(key);
  }
}
