import type { HookState } from "../../reminder/state.ts";
import { isRecord, readDelivery, readFixSession, readSession } from "./stored-row.ts";

/** `state.json`: the documented shape, and the generation that ties a journal to it. */
export interface Snapshot {
  generation: string;
  state: HookState;
}

/** Reads a snapshot of this or an older release. Throws, saying why, for anything else. */
export function parseSnapshot(text: string): Snapshot {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document)) throw new Error("not a JSON object");
  const { generation } = document;
  return {
    generation: typeof generation === "string" ? generation : "",
    state: {
      sessions: readTable(document, "sessions", "session", readSession),
      fixSessions: readTable(document, "fix_sessions", "fix session", readFixSession),
      deliveries: readTable(document, "deliveries", "delivery", readDelivery),
    },
  };
}

/** The tables by their names in the file; of empty ones only the sessions. */
export function tablesOf(state: Readonly<HookState>): [name: string, rows: Map<string, object>][] {
  const tables: [string, Map<string, object>][] = [
    ["fix_sessions", state.fixSessions],
    ["deliveries", state.deliveries],
  ];
  return [["sessions", state.sessions], ...tables.filter(([, rows]) => rows.size > 0)];
}

/** The state as `state.json` and `agent-hook status` show it. */
export function showState(state: Readonly<HookState>): Record<string, unknown> {
  return Object.fromEntries(tablesOf(state).map(([name, rows]) => [name, Object.fromEntries(rows)]));
}

function readTable<T>(
  document: Record<string, unknown>,
  name: string,
  what: string,
  read: (row: Record<string, unknown>, key: string) => T,
): Map<string, T> {
  const rows = document[name] ?? {};
  if (!isRecord(rows)) throw new Error(`\`${name}\` is not an object`);
  return new Map(
    Object.entries(rows).map(([key, row]) => {
      try {
        if (!isRecord(row)) throw new Error("not an object");
        return [key, read(row, key)];
      } catch (error) {
        throw new Error(`${what} ${JSON.stringify(key)}: ${(error as Error).message}`);
      }
    }),
  );
}
