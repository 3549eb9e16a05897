import type { HookState, Session } from "../../reminder/state.ts";

/** `state.json`: the documented shape, and the generation that ties a journal to it. */
export interface Snapshot {
  generation: string;
  state: HookState;
}

/** Reads a snapshot of this or an older release. Throws, saying why, for anything else. */
export function parseSnapshot(text: string): Snapshot {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document)) throw new Error("not a JSON object");
  const { generation, sessions = {}, fix_sessions: fixSessions } = document;
  if (!isRecord(sessions)) throw new Error("`sessions` is not an object");
  if (fixSessions !== undefined && !isRecord(fixSessions)) throw new Error("`fix_sessions` is not an object");
  return {
    generation: typeof generation === "string" ? generation : "",
    state: {
      sessions: new Map(Object.entries(sessions).map(([key, session]) => [key, readSession(key, session)])),
      fixSessions: fixSessions ?? {},
    },
  };
}

export function renderSnapshot(snapshot: Snapshot): string {
  return `${JSON.stringify({ generation: snapshot.generation, ...showState(snapshot.state) }, null, 2)}\n`;
}

/** The state as `state.json` and `agent-hook status` show it. */
export function showState(state: Readonly<HookState>): Record<string, unknown> {
  const fix = Object.keys(state.fixSessions).length > 0 ? { fix_sessions: state.fixSessions } : {};
  return { sessions: Object.fromEntries(state.sessions), ...fix };
}

const maps = [
  "stop_counts_since_prompt",
  "failed_review_triggered_counts",
  "acknowledged_review_ids",
  "repo_heads",
  "worktree_lineage_keys",
];

function readSession(key: string, value: unknown): Session {
  if (!isRecord(value)) throw new Error(`session ${JSON.stringify(key)} is not an object`);
  const count = value.count ?? 0;
  if (typeof count !== "number") throw new Error(`session ${JSON.stringify(key)} has no numeric count`);
  for (const map of maps) {
    if (value[map] !== undefined && !isRecord(value[map])) {
      throw new Error(`session ${JSON.stringify(key)}: ${map} is not an object`);
    }
  }
  return forwardStopCount({ ...value, count });
}

/**
 * Older releases counted turns per session, not per lineage. The number moves to the only lineage it can mean
 * and is dropped when there is none or more than one, so that no checkout inherits another's turns.
 */
function forwardStopCount(session: Session): Session {
  const { stop_count_since_prompt: old, ...rest } = session;
  if (old === undefined) return session;
  const next = rest as Session;
  if (typeof old !== "number" || old <= 0 || next.stop_counts_since_prompt !== undefined) return next;
  const lineage = onlyLineage(next);
  return lineage === undefined ? next : { ...next, stop_counts_since_prompt: { [lineage]: old } };
}

function onlyLineage(session: Session): string | undefined {
  const lineages = [...new Set(Object.values(session.worktree_lineage_keys ?? {}))];
  if (lineages.length > 0) return lineages.length === 1 ? lineages[0] : undefined;
  const heads = Object.keys(session.repo_heads ?? {});
  if (heads.length > 0) return heads.length === 1 ? heads[0] : undefined;
  const { last_failed_review_repo: repo, last_failed_review_branch: branch } = session;
  if (!repo) return undefined;
  return branch ? `${repo}\0${branch}` : repo;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
