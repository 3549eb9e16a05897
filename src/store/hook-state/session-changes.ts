import type { Session } from "../../reminder/state.ts";
import type { JournalBatch } from "./journal.ts";

/** By field of a session: what it is now; null: gone. */
export type ChangedFields = Record<string, unknown>;

/**
 * What a batch writes of its sessions: of one that was there before only the fields that are others now. A session that
 * was told about a thousand reviews is not written with all of them at each of its events.
 */
export function sessionChanges(
  published: ReadonlyMap<string, Session>,
  changed: ReadonlyMap<string, Session | null>,
): Pick<JournalBatch, "sessions" | "session_fields"> {
  const rows: [string, Session | null][] = [];
  const fields: [string, ChangedFields][] = [];
  for (const [key, row] of changed) {
    const before = published.get(key);
    const different = before === undefined || row === null ? undefined : changedFields(before, row);
    if (different === undefined) rows.push([key, row]);
    else fields.push([key, different]);
  }
  return {
    ...(rows.length > 0 ? { sessions: Object.fromEntries(rows) } : {}),
    ...(fields.length > 0 ? { session_fields: Object.fromEntries(fields) } : {}),
  };
}

/** Undefined where a field has become null, which would say that it is gone. The same object has not changed. */
function changedFields(before: Session, after: Session): ChangedFields | undefined {
  const different: [string, unknown][] = [];
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[field] === after[field]) continue;
    if (after[field] === null) return undefined;
    different.push([field, after[field] ?? null]);
  }
  return Object.fromEntries(different);
}

export function withFields(session: Session, fields: ChangedFields): Session {
  const next: Session = { ...session, ...fields };
  for (const field of Object.keys(fields)) if (fields[field] === null) delete next[field];
  return next;
}
