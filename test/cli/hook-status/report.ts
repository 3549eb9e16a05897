import { type HookStatusReport, hookStatusText } from "../../../src/cli/hook-status/status-text.ts";
import { createOutput } from "../../../src/cli/output.ts";
import type { DeliveryRecord, ShownFixSession } from "../../../src/daemon/api/responses.ts";
import type { PendingReminder, Session } from "../../../src/reminder/state.ts";

export const now = new Date("2026-01-02T12:00:00.000Z");
export const secondsAgo = (seconds: number): string => new Date(now.getTime() - seconds * 1000).toISOString();

const nowhere = { write: () => {}, isTerminal: false };

/** The lines of the screen for a state, everything else empty. */
export function screen(report: Partial<HookStatusReport>, env: Record<string, string> = {}): string[] {
  const out = createOutput({ stdout: nowhere, stderr: nowhere, env, verbose: false });
  return hookStatusText({ sessions: {}, snoozes: [], latest: [], off: [], ...report }, now, out).split("\n");
}

/** A session whose last event was so long ago. */
export const seen = (seconds: number, more: Partial<Session> = {}): Session => ({
  count: 0,
  last_seen_at: secondsAgo(seconds),
  ...more,
});

export const worktreeOf = (path: string, root = "/src/shop"): string => `${root}\0worktree\0${path}`;

export function fixSession(more: Partial<ShownFixSession> = {}): ShownFixSession {
  return {
    id: "2f1c9f3e-6a2b-4c56-9d0e-3b7a5a1e8c44",
    agent: "claude",
    session_id: "s1",
    worktree: "/src/shop",
    lineage: "/src/shop\0main",
    review_ids: [13, 12, 11],
    close_outs: 0,
    expires_at: "2026-01-02T23:30:00.000Z",
    ...more,
  };
}

export function pendingReminder(more: Partial<PendingReminder> = {}): PendingReminder {
  return {
    triggered_by: "failed_reviews",
    instruction: "",
    tracked_repo_root: "/src/shop",
    worktree_root: "/src/shop",
    branch: "main",
    head: "a".repeat(40),
    lineage_key: "/src/shop\0main",
    failed_review_count: 2,
    created_at: secondsAgo(61),
    ...more,
  };
}

export function deliveryRecord(more: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id: "d1",
    agent: "claude",
    session_id: "s1",
    event: "Stop",
    channel: "block",
    triggered_by: "failed_reviews",
    worktree: "/src/shop",
    branch: "main",
    review_ids: [12, 11],
    decided_at: secondsAgo(187),
    stage: "answered",
    confirmed: false,
    ...more,
  };
}
