import type { Delivery, FixSession, HookState, Session } from "../../reminder/state.ts";
import { type ChangedFields, withFields } from "./session-changes.ts";

// `state.journal`: one line a batch, and lines that name a snapshot: what stands below continues it, what stands above
// is in it. The first line always does. Every line carries its own checksum, so that a line torn by a crash is seen:
// it was never acknowledged and is dropped.

type Changes<T> = Record<string, T | null>;

/** Rows after a batch of events; null: forgotten. A table without a change is absent. */
export interface JournalBatch {
  sessions?: Changes<Session>;
  /** Of sessions that were there before the batch, what it changed. */
  session_fields?: Record<string, ChangedFields>;
  fix_sessions?: Changes<FixSession>;
  deliveries?: Changes<Delivery>;
}

/** The line below which the journal continues the snapshot of this generation. */
export const generationLine = (generation: string): string => line({ generation });

export const batchLine = (batch: JournalBatch): string => line(batch);

export interface Continuation {
  /** Up to the first damaged line; none if the generation is not named. */
  batches: JournalBatch[];
  /** Offset of a damaged line with sound ones behind it: no crash leaves that, and they were acknowledged. */
  damagedAt?: number;
}

/** What continues the snapshot of a generation. */
export function continuationOf(generation: string, journal: Uint8Array): Continuation {
  let batches: JournalBatch[] | undefined;
  for (let start = 0; ; ) {
    const end = journal.indexOf(0x0a, start);
    const value = end < 0 ? undefined : readLine(journal.subarray(start, end));
    if (value === undefined) {
      const isInside = end >= 0 && hasSoundLine(journal.subarray(end + 1));
      return { batches: batches ?? [], ...(isInside ? { damagedAt: start } : {}) };
    }
    if (!("generation" in value)) batches?.push(value);
    else if (value.generation === generation) batches = [];
    start = end + 1;
  }
}

function hasSoundLine(journal: Uint8Array): boolean {
  for (let start = 0; ; ) {
    const end = journal.indexOf(0x0a, start);
    if (end < 0) return false;
    if (readLine(journal.subarray(start, end)) !== undefined) return true;
    start = end + 1;
  }
}

export function applyBatch(state: HookState, batch: JournalBatch): void {
  applyChanges(state.sessions, batch.sessions);
  for (const [key, fields] of Object.entries(batch.session_fields ?? {})) {
    const session = state.sessions.get(key);
    if (session !== undefined) state.sessions.set(key, withFields(session, fields));
  }
  applyChanges(state.fixSessions, batch.fix_sessions);
  applyChanges(state.deliveries, batch.deliveries);
}

function applyChanges<T>(rows: Map<string, T>, changes: Changes<T> = {}): void {
  for (const [key, row] of Object.entries(changes)) {
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  }
}

function line(value: unknown): string {
  const json = JSON.stringify(value);
  return `${checksum(json)} ${json}\n`;
}

function readLine(bytes: Uint8Array): JournalBatch | { generation: unknown } | undefined {
  const text = new TextDecoder().decode(bytes);
  const json = text.slice(9);
  if (text.slice(0, 9) !== `${checksum(json)} `) return undefined;
  return JSON.parse(json);
}

const checksum = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(8, "0");
