import { afterEach, describe, expect, test } from "bun:test";
import { dataPaths } from "../../../src/config/paths.ts";
import { pruneHookState } from "../../../src/daemon/agent-hook/prune.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import type { Delivery, FixSession, Session, StagedState } from "../../../src/reminder/state.ts";
import { HookStateFiles } from "../../../src/store/hook-state/hook-state.ts";
import { HookLedger } from "../../../src/store/hook-state/ledger.ts";
import { openStore } from "../../../src/store/open.ts";
import { delivery, fixSession } from "../../support/hook-rows.ts";
import { storeReview } from "../../support/reviews.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

const now = new Date("2026-03-01T00:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const month = 30 * 24;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function scene(dir: TempDir, given: (staged: StagedState) => void) {
  let at = now;
  const clock: Clock = { now: () => at, monotonicMs: () => 0 };
  const { files, state } = await HookStateFiles.open(dataPaths(dir.path));
  const ledger = new HookLedger(files, state, clock, () => {});
  const store = await openStore(dir.join("reviews.db"), { clock });
  opened.push(
    () => ledger.close(),
    () => store.close(),
  );
  await ledger.transact(given);
  return {
    store,
    state: ledger.published,
    prune: () => pruneHookState(ledger, async (work) => work(store), clock),
    later: (hours: number) => {
      at = new Date(at.getTime() + hours * 3_600_000);
    },
  };
}

const seen = (hours: number, more: Partial<Session> = {}): Session => ({
  count: 1,
  last_seen_at: hoursAgo(hours),
  ...more,
});

describe("pruning", () => {
  test("W12 forgets sessions idle for 30 days, unless something is pending", async () => {
    using dir = tempDir();
    const pending = { triggered_by: "commit", tracked_repo_root: "/r", worktree_root: "/r" } as const;
    const { state, prune } = await scene(dir, ({ sessions }) => {
      sessions.put("claude:old", seen(month + 1));
      sessions.put("claude:young", seen(month - 1));
      const queued = { ...pending, lineage_key: "/r", created_at: hoursAgo(month + 1) };
      sessions.put("hermes:queued", seen(month + 1, { pending_reminders: { k: queued } }));
    });
    await prune();
    expect([...state.sessions.keys()]).toEqual(["claude:young", "hermes:queued"]);
  });

  test("W12 looks at every one of a great many sessions", async () => {
    using dir = tempDir();
    const { state, prune } = await scene(dir, ({ sessions }) => {
      for (let n = 0; n < 1201; n++) sessions.put(`claude:${n}`, seen(n % 3 === 0 ? month + 1 : 1));
    });
    await prune();
    expect(state.sessions.size).toBe(800);
  });

  test("forgets acknowledgements of reviews that are gone or were closed 30 days ago", async () => {
    using dir = tempDir();
    const { store, state, prune, later } = await scene(dir, () => {});
    const repoId = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "" }).id;
    const [open, closed, closedLater] = [1, 2, 3].map(() => storeReview(store, { repoId, gitRef: "a" }));
    store.reviews.setClosed(closed!, true, "user");
    later(1);
    store.reviews.setClosed(closedLater!, true, "user");
    expect([open, closed, 999].map((id) => store.reviews.closedAt(id!))).toEqual([
      "",
      now.toISOString(),
      undefined,
    ]);
    later(month - 0.5);
    const acknowledged = Object.fromEntries([open, closed, closedLater, 999].map((id) => [String(id), {}]));
    state.sessions.set("claude:a", {
      count: 1,
      last_seen_at: hoursAgo(-month),
      acknowledged_review_ids: { L: acknowledged, M: { "999": {} } },
    });
    await prune();
    expect(state.sessions.get("claude:a")?.acknowledged_review_ids).toEqual({
      L: { [open!]: {}, [closedLater!]: {} },
    });
  });

  test("93 forgets fix sessions that expired or whose session is forgotten, and no other", async () => {
    using dir = tempDir();
    const fix = (session: string, hours: number): FixSession => ({
      ...fixSession,
      session_id: session,
      expires_at: hoursAgo(hours),
    });
    const { state, prune } = await scene(dir, ({ sessions, fixSessions }) => {
      sessions.put("claude:a", seen(1));
      sessions.put("bare", seen(1));
      sessions.put("claude:idle", seen(month + 1));
      fixSessions.put("active", fix("a", -1));
      fixSessions.put("of an older release", fix("bare", -1));
      fixSessions.put("expired", fix("a", 0));
      fixSessions.put("at no time", { ...fix("a", 0), expires_at: "soon" });
      fixSessions.put("before the clock was set back", fix("a", -month));
      fixSessions.put("of an idle session", fix("idle", -1));
    });
    await prune();
    expect([...state.fixSessions.keys()]).toEqual(["active", "of an older release"]);
  });

  test("keeps the newest 1000 deliveries of the last 30 days", async () => {
    using dir = tempDir();
    const decided = (hours: number): Delivery => ({ ...delivery, decided_at: hoursAgo(hours) });
    const { state, prune, later } = await scene(dir, ({ deliveries }) => {
      for (let n = 0; n < 5; n++) deliveries.put(`old ${n}`, decided(month + 1));
      for (let n = 0; n < 1003; n++) deliveries.put(`new ${n}`, decided(1));
    });
    await prune();
    const kept = [...state.deliveries.keys()];
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, "new 3", "new 1002"]);
    later(month);
    await prune();
    expect(state.deliveries.size).toBe(0);
  });
});
