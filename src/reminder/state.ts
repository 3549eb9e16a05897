// The state of the reminder feature, in the shape that `state.json` and `agent-hook status` show.

/** What is remembered of one harness session. Empty maps and zero times are absent. */
export interface Session {
  /** Turns (Stop events) in the session's life. */
  count: number;
  /** Turns since the last reminder, per lineage. */
  stop_counts_since_prompt?: Record<string, number>;
  /** Commits counted in the session's life. */
  commit_count?: number;
  /** Commits since the last reminder, per sequence key. */
  commit_shas_since_prompt?: Record<string, string[]>;
  /** The same as numbers, from an older release: read, added, never written. */
  commit_counts_since_prompt?: Record<string, number>;
  /** Commands that may commit and have not been seen to end, oldest first. */
  open_commands?: OpenCommand[];
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
  /** The delivery that blocked it, until the session is seen to go on. */
  blocked_delivery_id?: string;
  /** The turn that the harness began itself: its end is not counted. */
  wake_up_turn_id?: string;
  /** What would have been delivered, had the user not left it switched off. */
  would_trigger?: { triggered_by: string; at: string };
  /** When it was told that the skill is missing or outdated: once is enough. */
  skill_warned_at?: string;
  last_cwd?: string;
  last_commit_repo?: string;
  last_commit_head?: string;
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
  commit_triggered_at?: string;
  /** Reminders that wait to be delivered, by lineage and trigger (`queueKey`). */
  pending_reminders?: Record<string, PendingReminder>;
  /** Fields of another release are kept. */
  [field: string]: unknown;
}

/** A reminder that waits for an event at which its harness can be told. */
export interface PendingReminder {
  triggered_by: "failed_reviews" | "commit";
  /** What was to be said, as releases before ours stored it; used where there is no `instruction`. */
  reason?: string;
  /** The user's instruction when it was queued; empty: our own. */
  instruction?: string;
  tracked_repo_root: string;
  tracked_repo_identity?: string;
  worktree_root: string;
  /** Absent: HEAD was detached. */
  branch?: string;
  /** HEAD at the newest trigger. */
  head?: string;
  lineage_key: string;
  commit_count?: number;
  failed_review_count?: number;
  created_at: string;
}

/** A command that may commit and whose end was not seen yet, with the position before it. */
export interface OpenCommand {
  worktree: string;
  tracked_root: string;
  /** Empty: HEAD was detached. */
  branch: string;
  head: string;
  /** The git sub-command, or `unknown`. */
  verb: string;
  at: string;
  tool_use_id?: string;
}

/** The one session that is busy with the reviews of a working tree. */
export interface FixSession {
  id: string;
  agent: string;
  session_id: string;
  worktree: string;
  lineage: string;
  /** Reviews that its reminders named; empty when another release wrote it. */
  review_ids: number[];
  /** How often its owner was asked to finish. */
  close_outs: number;
  expires_at: string;
}

/** What became of one text for the model; each stage holds the time it was reached. */
export interface Delivery {
  agent: string;
  session_id: string;
  /** Canonical name of the event that it was the answer to. */
  event: string;
  channel: "context" | "block";
  triggered_by: "failed_reviews" | "commit" | "stop" | "fix_session";
  worktree: string;
  branch?: string;
  review_ids: number[];
  fix_session_id?: string;
  turn_id?: string;
  /** Was queued before at an event that could not carry it. */
  queued_at?: string;
  decided_at: string;
  /** The daemon handed the answer over. */
  answered_at?: string;
  /** The session went on in the same turn, as it does after a block that arrived. */
  continued_at?: string;
  /** One of its reviews was worked on from its working tree. */
  acted_at?: string;
  acted_by?: "show" | "comment" | "close" | "fix-done";
}

/** Rows by key, as an event sees them: what is committed and, on top, what earlier events of its batch did. */
export interface Table<T> {
  get(key: string): T | undefined;
  keys(): string[];
  put(key: string, row: T): void;
  forget(key: string): void;
}

/** The whole reminder state as one event sees and changes it. */
export interface StagedState {
  /** Keyed `<agent>:<session id>`; a bare session id comes from an older release. */
  sessions: Table<Session>;
  /** Keyed by `worktreeKey`. */
  fixSessions: Table<FixSession>;
  /** Keyed by id, oldest first. */
  deliveries: Table<Delivery>;
}

/** The reminder state as it is published. */
export interface HookState {
  sessions: Map<string, Session>;
  fixSessions: Map<string, FixSession>;
  deliveries: Map<string, Delivery>;
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
