import { expect, test } from "bun:test";
import { deliveryRecord, fixSession, now, pendingReminder, screen, seen, worktreeOf } from "./report.ts";

// What the screen of `agent-hook status` asks of a terminal.

const invisible = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e]/u;

test("122 hostile names break no line, move no cursor and claim no more room than they may", () => {
  const evil = "\u001b[2J\r\nclaude:fake  now\u202e\u200b\t";
  const wide = "深い".repeat(200);
  const key = `cla\u001bude:${evil}${wide}`;
  const path = `/src/${evil}${wide}`;
  const lines = screen({
    sessions: {
      [key]: seen(1, {
        failed_review_count: 1,
        worktree_lineage_keys: { [worktreeOf(path)]: "x" },
        stop_counts_since_prompt: { [`/src\0${evil}${wide}`]: 1, "/src\0\u200b": 1 },
        pending_reminders: { p: pendingReminder({ worktree_root: path, branch: evil + wide }) },
      }),
    },
    fix_sessions: {
      [worktreeOf(path)]: fixSession({ agent: evil, session_id: wide, worktree: evil, id: evil }),
    },
    snoozes: [
      {
        repo_name: evil,
        repo_path: "/",
        worktree_path: evil,
        branch: evil,
        snoozed_until: now.toISOString(),
      },
    ],
    latest: [
      deliveryRecord({
        agent: evil,
        session_id: evil,
        worktree: path,
        branch: evil,
        acted_by: evil as never,
      }),
    ],
  });
  expect(lines.join("\n").replaceAll("\n", "")).not.toMatch(invisible);
  const titles = lines.filter((line) => /^[A-Z].*:$/.test(line));
  expect(titles.map((line) => line.split(" ")[0])).toEqual(["Queued", "Fix", "Snoozed:", "Delivered"]);
  expect(lines.filter((line) => line.startsWith("claude:fake"))).toEqual([]);
  const table = lines.slice(lines.indexOf(titles[3] as string) + 1);
  for (const line of [lines[1], ...table]) expect(Bun.stringWidth(line as string)).toBeLessThan(160);
});

test("the screen of ordinary days is at most 80 columns wide, UUIDs and all", () => {
  const id = "0b6cf6f2-3c5c-4a45-9d2c-6a1f2a8a7b11";
  const tree = worktreeOf("/home/dev/src/shop", "/home/dev/src/shop");
  const lines = screen({
    sessions: {
      [`copilot:${id}`]: seen(187, {
        count: 123,
        commit_count: 45,
        failed_review_count: 4,
        worktree_lineage_keys: { [tree]: "" },
        stop_counts_since_prompt: { "/home/dev/src/shop\0feature/parser": 3 },
        commit_shas_since_prompt: { "/home/dev/src/shop\0feature/parser": ["a", "b"] },
        pending_reminders: { p: pendingReminder({ branch: "feature/parser" }) },
      }),
    },
    fix_sessions: {
      [tree]: fixSession({ session_id: id.replace("0", "f"), worktree: "/home/dev/src/shop" }),
    },
    latest: [
      deliveryRecord({
        session_id: id.replace("0", "f"),
        stage: "acted",
        acted_by: "fix-done",
        triggered_by: "fix_session",
        review_ids: [104, 103, 102, 101],
      }),
    ],
  });
  for (const line of lines) expect([line, Bun.stringWidth(line) <= 80]).toEqual([line, true]);
});

test("what is confirmed is green, what is not is yellow, and nothing has colour without a terminal", () => {
  const latest = [deliveryRecord(), deliveryRecord({ stage: "continued", confirmed: true })];
  const coloured = screen({ latest }, { FORCE_COLOR: "1" });
  expect(coloured.at(-2)).toContain("\x1b[33manswered\x1b[39m  ");
  expect(coloured.at(-1)).toContain("\x1b[32mcontinued\x1b[39m");
  expect(screen({ latest }).join("")).not.toContain("\x1b");
});
