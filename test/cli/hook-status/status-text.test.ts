import { expect, test } from "bun:test";
import { queuedLines } from "../../../src/cli/hook-status/waiting-lines.ts";
import {
  deliveryRecord,
  fixSession,
  now,
  pendingReminder,
  screen,
  secondsAgo,
  seen,
  worktreeOf,
} from "./report.ts";

test("without a session the screen says so, and what checks the hooks", () => {
  expect(screen({})).toEqual([
    "No coding-agent session has been seen yet. Hooks are checked by: roborev agent-hook doctor",
  ]);
});

test("without a session, what is left of forgotten ones is still shown", () => {
  expect(screen({ latest: [deliveryRecord()] }).slice(1)).toEqual([
    "",
    "Delivered last:",
    "  Ago    Session    Because of  Stage     Reviews  Where",
    '  3m07s  claude:s1  reviews     answered  12, 11   shop "main"',
  ]);
});

test("a session is one line of counters, with what it counts towards its next reminder below", () => {
  const session = seen(187, {
    count: 7,
    commit_count: 3,
    remind_count: 2,
    failed_review_count: 1,
    stop_counts_since_prompt: { "/src/shop\0main": 1 },
    commit_shas_since_prompt: { "/src/shop\0main": ["a", "b"], "/src/shop\0worktree\0/src/wt": ["c"] },
    commit_counts_since_prompt: { "/src/old": 4 },
  });
  expect(screen({ sessions: { "codex:s1": session } })).toEqual([
    "Session   Last event  Turns  Commits  Reminders  Not told yet",
    "codex:s1  3m07s ago   7      3        2          1",
    "  4 commits so far in /src/old",
    '  1 turn, 2 commits so far on "main" of /src/shop',
    "  1 commit so far in /src/wt",
  ]);
});

test("places on a detached HEAD are named, and many places are cut", () => {
  const head = "0123456789".repeat(4);
  const turns = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`/src/shop\0b${n}`, 2]));
  const lines = screen({
    sessions: {
      "claude:a": seen(1, { stop_counts_since_prompt: { [`/src/shop\0detached\0/src/wt\0${head}`]: 1 } }),
      "claude:b": seen(2, { stop_counts_since_prompt: turns(9) }),
    },
  });
  expect(lines.filter((line) => line.startsWith("  "))).toEqual([
    "  1 turn so far on a detached HEAD from 0123456 in /src/wt",
    '  2 turns so far on "b0" of /src/shop',
    '  2 turns so far on "b1" of /src/shop',
    '  2 turns so far on "b2" of /src/shop',
    '  2 turns so far on "b3" of /src/shop',
    "  and in 5 more places",
  ]);
});

test("sessions come by their last event, the latest first, one that was never seen last; twenty at most", () => {
  const sessions = Object.fromEntries(
    Array.from({ length: 23 }, (_, n) => [`claude:s${n}`, n === 0 ? { count: 0 } : seen(n)]),
  );
  const lines = screen({ sessions });
  expect(lines.length).toBe(22);
  expect(lines[1]).toStartWith("claude:s1 ");
  expect(lines[20]).toStartWith("claude:s20 ");
  expect(lines.at(-1)).toBe("and 3 more, all in: roborev agent-hook status --json");
  expect(screen({ sessions: { "claude:s0": { count: 0 } } })[1]).toMatch(/^claude:s0 +never +0 +0 +0 +0$/);
});

test("who owns the working tree is named, with how to end it, and at those who wait for it", () => {
  const tree = worktreeOf("/src/shop");
  const here = { worktree_lineage_keys: { [tree]: "/src/shop\0main" } };
  const lines = screen({
    sessions: {
      "claude:s1": seen(1, { ...here, failed_review_count: 1 }),
      "codex:s2": seen(2, { ...here, failed_review_count: 4 }),
      "codex:told": seen(3, here),
      "codex:elsewhere": seen(4, {
        failed_review_count: 1,
        worktree_lineage_keys: { [worktreeOf("/src/wt")]: "/src/shop\0other" },
      }),
    },
    fix_sessions: { [tree]: fixSession({ close_outs: 2 }) },
  });
  expect(lines.slice(1)).toEqual([
    "claude:s1        1s ago      0      0        0          1",
    "codex:s2         2s ago      0      0        0          4",
    "  waits for the fix session of claude:s1 in /src/shop",
    "codex:told       3s ago      0      0        0          0",
    "codex:elsewhere  4s ago      0      0        0          1",
    "",
    "Fix sessions (nobody else is reminded in the same working tree):",
    "  claude:s1 is busy with reviews 13, 12, 11 in /src/shop",
    "    until they are closed, for 11h30m at most; asked to finish 2 times",
    "    end it now: roborev agent-hook fix-done 2f1c9f3e-6a2b-4c56-9d0e-3b7a5a1e8c44",
  ]);
});

test("a fix session names the reviews that are left, and is not shown without any: it holds nobody up", () => {
  const tree = worktreeOf("/src/shop");
  const sessions = {
    "codex:s2": seen(2, { worktree_lineage_keys: { [tree]: "/src/shop\0main" }, failed_review_count: 4 }),
  };
  const left = (...open_review_ids: number[]) =>
    screen({ sessions, fix_sessions: { [tree]: fixSession({ open_review_ids }) } }).slice(2);
  expect(left(12).slice(3, 5)).toEqual([
    "  claude:s1 is busy with review 12 in /src/shop",
    "    until it is closed, for 11h30m at most; not asked to finish yet",
  ]);
  expect(left()).toEqual([]);
});

test("a fix session that expired holds nobody up and is not shown; one of an older release names no reviews", () => {
  const tree = worktreeOf("/src/shop");
  const sessions = {
    "codex:s2": seen(2, { worktree_lineage_keys: { [tree]: "/src/shop\0main" }, failed_review_count: 4 }),
  };
  for (const expires_at of [now.toISOString(), "soon"])
    expect(screen({ sessions, fix_sessions: { [tree]: fixSession({ expires_at }) } })).toHaveLength(2);
  const [busy, until] = screen({ fix_sessions: { [tree]: fixSession({ review_ids: [] }) } }).slice(3);
  expect(busy).toBe("  claude:s1 is busy with reviews in /src/shop");
  expect(until).toBe("    until they are closed, for 11h30m at most; not asked to finish yet");
});

test("queued reminders are a line each, of every session", () => {
  const commit = pendingReminder({ triggered_by: "commit", commit_count: 1, created_at: secondsAgo(5) });
  const detached = pendingReminder({ worktree_root: "/src/wt" });
  const { branch: _, ...headless } = detached;
  const sessions = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`hermes:h${n}`, seen(n)]));
  const lines = screen({
    sessions: {
      ...sessions,
      "hermes:last": seen(99, { pending_reminders: { a: commit, b: headless } }),
    },
  });
  expect(lines.slice(-4)).toEqual([
    "Queued for the end of a turn or the next prompt, once checked out as shown:",
    "  Session      Queued     Because of        Where",
    '  hermes:last  5s ago     1 commit          shop "main"',
    "  hermes:last  1m01s ago  2 failed reviews  wt (detached)",
  ]);
});

test("of very many queued reminders, which nobody may ever come back for, twenty are shown", () => {
  const sessions = Object.fromEntries(
    Array.from({ length: 22 }, (_, n) => [
      `hermes:h${n}`,
      seen(n, { pending_reminders: { q: pendingReminder() } }),
    ]),
  );
  const lines = screen({ sessions });
  expect(lines.filter((line) => line.includes("1m01s ago"))).toHaveLength(20);
  expect(lines.at(-1)).toBe("  and 2 more");
});

test("only the sessions that are shown are named, which is a search among all of them", () => {
  const waiting = { pending_reminders: { q: pendingReminder() } };
  const sessions = Array.from({ length: 99 }, (_, n) => [`hermes:h${n}`, seen(n, waiting)] as const);
  const named = new Set<string>();
  const name = (key: string) => {
    named.add(key);
    return key;
  };
  queuedLines(sessions, { now, fixes: new Map(), name });
  expect([...named]).toEqual(Array.from({ length: 20 }, (_, n) => `hermes:h${n}`));
});

test("D15 what Cursor was not told because the user left it switched off is said", () => {
  const would_trigger = { triggered_by: "stop", at: secondsAgo(7200) };
  expect(screen({ sessions: { "cursor:c1": seen(1, { would_trigger }) } })[2]).toBe(
    "  would have been reminded 2h00m ago: cursor_followup is off",
  );
});

test("snoozes, which mute a session without a word, stand on the same screen", () => {
  const snooze = { repo_name: "shop", repo_path: "/src/shop", worktree_path: "/src/shop", branch: "main" };
  const lines = screen({ snoozes: [{ ...snooze, snoozed_until: "2026-01-02T15:04:05.000Z" }] });
  expect(lines.slice(2)).toEqual([
    "Snoozed:",
    "  Repo  Worktree   Branch  Until",
    "  shop  /src/shop  main    Jan 02 15:04 UTC",
  ]);
});
