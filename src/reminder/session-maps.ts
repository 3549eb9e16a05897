import type { PendingReminder, Session } from "./state.ts";

interface Maps {
  stop_counts_since_prompt: number;
  commit_shas_since_prompt: string[];
  commit_counts_since_prompt: number;
  failed_review_triggered_counts: number;
  pending_reminders: PendingReminder;
}
type MapField = keyof Maps;

/** The session with this map, or without the field when the map is empty. */
function withMap<F extends MapField>(session: Session, field: F, map: Record<string, Maps[F]>): Session {
  for (const _ in map) return { ...session, [field]: map };
  return withoutField(session, field);
}

/** The session without a field; itself if it has none. */
export function withoutField(session: Session, field: string): Session {
  if (session[field] === undefined) return session;
  const { [field]: _, ...rest } = session;
  return rest as Session;
}

/** The session with one entry of a map set. */
export function withEntry<F extends MapField>(
  session: Session,
  field: F,
  key: string,
  value: Maps[F],
): Session {
  return { ...session, [field]: { ...session[field], [key]: value } };
}

/** The session without these keys of a map; itself if it has none of them. */
export function withoutKeys(session: Session, field: MapField, keys: readonly string[]): Session {
  const map = session[field];
  if (map === undefined || !keys.some((key) => Object.hasOwn(map, key))) return session;
  const kept = { ...map };
  for (const key of keys) delete kept[key];
  return withMap(session, field, kept as never);
}
