import type { Delivery, FixSession } from "../../src/reminder/state.ts";

// Rows of the reminder state, as a session "a" of Claude Code leaves them.

export const fixSession: FixSession = {
  id: "5a3e1c6e-3c7c-4a35-9e2f-8f4d9a0b1c2d",
  agent: "claude",
  session_id: "a",
  worktree: "/r",
  lineage: "/r\0main",
  review_ids: [4],
  close_outs: 0,
  expires_at: "2026-01-02T03:04:05Z",
};

export const delivery: Delivery = {
  agent: "claude",
  session_id: "a",
  event: "Stop",
  channel: "block",
  triggered_by: "stop",
  worktree: "/r",
  review_ids: [4],
  decided_at: "2026-01-02T03:04:05Z",
};
