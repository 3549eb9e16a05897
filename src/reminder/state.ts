// The state of the reminder feature, in the shape that `state.json` and `agent-hook status` show.

/** What is remembered of one harness session. Empty maps and zero times are absent. */
export interface Session {
  /** Turns (Stop events) in the session's life. */
  count: number;
  /** Turns since the last reminder, per lineage. */
  stop_counts_since_prompt?: Record<string, number>;
  /** Open failed reviews nobody was told about, as last seen. */
  failed_review_count?: number;
  /** Count at which the failed-review trigger fired without delivery, per lineage. */
  failed_review_triggered_counts?: Record<string, number>;
  /** Reviews this session was told about, per lineage. */
  acknowledged_review_ids?: Record<string, Record<string, Record<string, never>>>;
  /** Reminders delivered. */
  remind_count?: number;
  last_turn_id?: string;
  /** The turn in which a Stop was answered with a block: no second one there. */
  blocked_turn_id?: string;
  /** When, where turn ids come again. */
  blocked_turn_at?: string;
  /** The turn that the harness began itself: its end is not counted. */
  wake_up_turn_id?: string;
  /** What would have been delivered, had the user not left it switched off. */
  would_trigger?: { triggered_by: string; at: string };
  last_cwd?: string;
  last_failed_review_repo?: string;
  last_failed_review_branch?: string;
  /** HEAD as last seen, per worktree, branch or lineage key. */
  repo_heads?: Record<string, string>;
  /** Lineage of the session in each worktree. */
  worktree_lineage_keys?: Record<string, string>;
  last_seen_at?: string;
  /** When a reminder was last delivered. */
  triggered_at?: string;
  failed_review_triggered_at?: string;
  /** Fields of another release are kept. */
  [field: string]: unknown;
}

export interface HookState {
  /** Keyed `<agent>:<session id>`; a bare session id comes from an older release. */
  sessions: Map<string, Session>;
  /** Written by another release; kept. */
  fixSessions: Record<string, unknown>;
}

/** Key of a session: two harnesses may use the same id. */
export function sessionKey(agent: string, sessionId: string): string {
  return `${agent}:${sessionId}`;
}

/** Where a session is found: under its own key, else under the bare id that an older release wrote. */
export function findSession(
  get: (key: string) => Session | undefined,
  agent: string,
  sessionId: string,
): { key: string; session: Session } | undefined {
  for (const key of [sessionKey(agent, sessionId), sessionId]) {
    const session = get(key);
    if (session) return { key, session };
  }
  return undefined;
}

/** Keys that `reset <id>` forgets: that id under any agent, or a full key. */
export function keysOfSession(keys: string[], id: string): string[] {
  return keys.filter((key) => key === id || key.slice(key.indexOf(":") + 1) === id);
}

const idleMs = 30 * 24 * 3_600_000;

/** Sessions that nobody has used for 30 days and that hold nothing undelivered. */
export function isIdle(session: Session, now: Date): boolean {
  if (session.pending_reminders !== undefined) return false;
  return Date.parse(session.last_seen_at ?? "") < now.getTime() - idleMs;
}

/** A session without the acknowledgements for which `isGone` says that their review no longer matters; itself if there are none. */
export function withoutAcknowledgements(session: Session, isGone: (jobId: number) => boolean): Session {
  const { acknowledged_review_ids: acknowledged, ...rest } = session;
  const ids = Object.values(acknowledged ?? {}).flatMap((lineage) => Object.keys(lineage));
  if (!ids.some((id) => isGone(Number(id)))) return session;
  const kept = Object.entries(acknowledged ?? {})
    .map(
      ([lineage, known]) => [lineage, Object.entries(known).filter(([id]) => !isGone(Number(id)))] as const,
    )
    .filter(([, known]) => known.length > 0)
    .map(([lineage, known]) => [lineage, Object.fromEntries(known)] as const);
  return (
    kept.length === 0 ? rest : { ...rest, acknowledged_review_ids: Object.fromEntries(kept) }
  ) as Session;
}
