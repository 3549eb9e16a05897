import fc from "fast-check";
import type { Delivery, FixSession, HookState, Session } from "../../../src/reminder/state.ts";
import type { JournalBatch } from "../../../src/store/hook-state/journal.ts";
import { showState } from "../../../src/store/hook-state/snapshot.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("__proto__", "constructor", "1", "/r\0worktree\0/w", "\ud800", '"\n\\', "claude:a"),
);
const times = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const counts = fc.nat();
const mapOf = <T>(values: fc.Arbitrary<T>) => fc.dictionary(texts, values, { maxKeys: 3 });

const pending = fc.record(
  {
    triggered_by: fc.constantFrom("failed_reviews" as const, "commit" as const),
    reason: texts,
    instruction: texts,
    tracked_repo_root: texts,
    worktree_root: texts,
    lineage_key: texts,
    commit_count: counts,
    created_at: times,
  },
  { requiredKeys: ["triggered_by", "tracked_repo_root", "worktree_root", "lineage_key", "created_at"] },
);

export const sessions: fc.Arbitrary<Session> = fc.record(
  {
    count: counts,
    stop_counts_since_prompt: mapOf(counts),
    commit_shas_since_prompt: mapOf(fc.array(texts, { maxLength: 3 })),
    commit_counts_since_prompt: mapOf(counts),
    open_commands: fc.array(
      fc.record({
        worktree: texts,
        tracked_root: texts,
        branch: texts,
        head: texts,
        verb: texts,
        at: times,
      }),
      { maxLength: 2 },
    ),
    acknowledged_review_ids: mapOf(fc.dictionary(counts.map(String), fc.constant({}), { maxKeys: 3 })),
    pending_reminders: mapOf(pending),
    repo_heads: mapOf(texts),
    last_seen_at: times,
    field_of_another_release: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value))),
  },
  { requiredKeys: ["count"] },
);

export const fixSessions: fc.Arbitrary<FixSession> = fc.record({
  id: fc.uuid(),
  agent: texts,
  session_id: texts,
  worktree: texts,
  lineage: texts,
  review_ids: fc.array(counts, { maxLength: 3 }),
  close_outs: counts,
  expires_at: times,
});

export const deliveries: fc.Arbitrary<Delivery> = fc.record(
  {
    agent: texts,
    session_id: texts,
    event: texts,
    channel: fc.constantFrom("context" as const, "block" as const),
    triggered_by: fc.constantFrom("commit" as const, "stop" as const),
    worktree: texts,
    branch: texts,
    review_ids: fc.array(counts, { maxLength: 3 }),
    decided_at: times,
    acted_at: times,
    acted_by: fc.constantFrom("show" as const, "fix-done" as const),
  },
  {
    requiredKeys: [
      "agent",
      "session_id",
      "event",
      "channel",
      "triggered_by",
      "worktree",
      "review_ids",
      "decided_at",
    ],
  },
);

const tableOf = <T>(rows: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(texts, rows), { maxLength: 6 }).map((entries) => new Map(entries));

export const states: fc.Arbitrary<HookState> = fc.record({
  sessions: tableOf(sessions),
  fixSessions: tableOf(fixSessions),
  deliveries: tableOf(deliveries),
});

const changesOf = <T>(rows: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(texts, fc.option(rows)), { minLength: 1, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

/** Of sessions with the keys that others are likely to have. */
const sessionFields = fc
  .array(fc.tuple(texts, fc.record({ count: counts, last_seen_at: fc.option(times) })), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

export const batches: fc.Arbitrary<JournalBatch> = fc.record(
  {
    sessions: changesOf(sessions),
    session_fields: sessionFields,
    fix_sessions: changesOf(fixSessions),
    deliveries: changesOf(deliveries),
  },
  { requiredKeys: [] },
);

export const emptyState = (): HookState => ({
  sessions: new Map(),
  fixSessions: new Map(),
  deliveries: new Map(),
});

/** The state as text that does not depend on the order of keys that look like numbers. */
export const textOf = (state: HookState): string => JSON.stringify(showState(state));
