import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { HookState } from "../../../src/reminder/state.ts";
import { parseSnapshot, showState } from "../../../src/store/hook-state/snapshot.ts";
import { SnapshotText } from "../../../src/store/hook-state/snapshot-text.ts";
import { states, textOf } from "./arbitrary-state.ts";

const parse = (value: unknown) => parseSnapshot(JSON.stringify(value)).state;
const render = (state: HookState) => [...new SnapshotText().chunks({ generation: "g", state })].join("");

const fixSession = {
  id: "5a3e1c6e-3c7c-4a35-9e2f-8f4d9a0b1c2d",
  agent: "claude",
  session_id: "s1",
  worktree: "/r/w",
  lineage: "/r\0main",
  review_ids: [4, 5],
  close_outs: 1,
  expires_at: "2026-01-02T03:04:05Z",
};
const delivery = {
  agent: "claude",
  session_id: "s1",
  event: "Stop",
  channel: "block",
  triggered_by: "stop",
  worktree: "/r/w",
  review_ids: [4],
  decided_at: "2026-01-02T03:04:05Z",
};

describe("snapshot", () => {
  test("83 a snapshot of the documented shape loads with every field, known or not", () => {
    const document = {
      sessions: {
        s1: {
          count: 4,
          acknowledged_review_ids: { "/r\0main": { "11": {} } },
          commit_count: 7,
          commit_counts_since_prompt: { "/r\0main": 2 },
          future_field: [1],
        },
      },
      fix_sessions: { "/r\0worktree\0/r/w": { ...fixSession, future_field: true } },
      deliveries: { d1: delivery },
    };
    const state = parse(document);
    expect(state.sessions.get("s1")).toEqual(document.sessions.s1);
    expect(JSON.parse(render(state))).toEqual({ generation: "g", ...document });
    expect(showState(state)).toEqual(document);
  });

  test("83 a fix session of an older release has its working tree from its key, and no reviews", () => {
    const { id, agent, session_id, expires_at } = fixSession;
    const key = "/r\0worktree\0/r/w";
    expect(
      parse({ fix_sessions: { [key]: { id, agent, session_id, expires_at } } }).fixSessions.get(key),
    ).toEqual({ ...fixSession, lineage: "", review_ids: [], close_outs: 0 });
  });

  test("75 a queued reminder without an instruction keeps the text that an older release stored", () => {
    const queued = {
      triggered_by: "commit" as const,
      reason: "Run roborev fix 11",
      tracked_repo_root: "/r",
      worktree_root: "/r",
      lineage_key: "/r\0main",
      created_at: "2026-01-02T03:04:05Z",
    };
    const session = { count: 1, pending_reminders: { "/r\0main\0commit": queued } };
    expect(parse({ sessions: { s1: session } }).sessions.get("s1")).toEqual(session);
  });

  test("is indented by two spaces, ends with a newline and leaves out what is empty", () => {
    expect(render(parse({ sessions: { a: { count: 1 } } }))).toBe(
      '{\n  "generation": "g",\n  "sessions": {\n    "a": {\n      "count": 1\n    }\n  }\n}\n',
    );
    expect(render(parse({}))).toBe('{\n  "generation": "g",\n  "sessions": {}\n}\n');
  });

  test("any state, written and read, is the same, in the bytes that JSON.stringify would give", () => {
    fc.assert(
      fc.property(states, (state) => {
        const text = render(state);
        const read = parseSnapshot(text);
        expect(read.generation).toBe("g");
        expect(textOf(read.state)).toBe(textOf(state));
        // Maps hold keys like "1" in their own order.
        const inOrder = render(read.state);
        expect(inOrder).toBe(`${JSON.stringify({ generation: "g", ...showState(read.state) }, null, 2)}\n`);
      }),
      { numRuns: 300 },
    );
  });

  const session = (fields: object) => ({ sessions: { "claude:a": { count: 1, ...fields } } });
  const fix = (fields: object) => ({ fix_sessions: { w: { ...fixSession, ...fields } } });
  const delivered = (fields: object) => ({ deliveries: { d1: { ...delivery, ...fields } } });
  test.each([
    [[], "not a JSON object"],
    [null, "not a JSON object"],
    [{ sessions: [] }, "`sessions` is not an object"],
    [{ fix_sessions: 1 }, "`fix_sessions` is not an object"],
    [{ deliveries: [] }, "`deliveries` is not an object"],
    [{ sessions: { "claude:a": 1 } }, 'session "claude:a": not an object'],
    [session({ count: "x" }), 'session "claude:a": count is not a number'],
    [session({ repo_heads: [] }), 'session "claude:a": repo_heads is not an object'],
    [
      session({ commit_counts_since_prompt: 1 }),
      'session "claude:a": commit_counts_since_prompt is not an object',
    ],
    [
      session({ commit_shas_since_prompt: { k: "sha" } }),
      'session "claude:a": commit_shas_since_prompt: "k" is not an array',
    ],
    [
      session({ commit_shas_since_prompt: [] }),
      'session "claude:a": commit_shas_since_prompt is not an object',
    ],
    [
      session({ pending_reminders: { k: "text" } }),
      'session "claude:a": pending_reminders: "k" is not an object',
    ],
    [session({ open_commands: {} }), 'session "claude:a": open_commands is not an array of objects'],
    [session({ open_commands: [1] }), 'session "claude:a": open_commands is not an array of objects'],
    [fix({ id: 1 }), 'fix session "w": id is not a string'],
    [fix({ worktree: 1 }), 'fix session "w": worktree is not a string'],
    [fix({ review_ids: ["4"] }), 'fix session "w": review_ids is not an array of numbers'],
    [fix({ close_outs: "2" }), 'fix session "w": close_outs is not a number'],
    [delivered({ decided_at: null }), 'delivery "d1": decided_at is not a string'],
    [delivered({ review_ids: undefined }), 'delivery "d1": review_ids is not an array of numbers'],
  ])("84 refuses %j and says where", (value, reason) => {
    expect(() => parse(value)).toThrow(new Error(reason));
  });

  describe("87 a turn count of the whole session", () => {
    const legacy = (more: Record<string, unknown>) =>
      parse({ sessions: { s: { count: 9, stop_count_since_prompt: 3, ...more } } }).sessions.get("s");

    test("moves to the only lineage", () => {
      expect(legacy({ worktree_lineage_keys: { w: "L" } })).toEqual({
        count: 9,
        worktree_lineage_keys: { w: "L" },
        stop_counts_since_prompt: { L: 3 },
      });
    });

    test("moves to the only known head, else to the last failed review's branch", () => {
      expect(legacy({ repo_heads: { H: "c" } })?.stop_counts_since_prompt).toEqual({ H: 3 });
      expect(
        legacy({ last_failed_review_repo: "/r", last_failed_review_branch: "b" })?.stop_counts_since_prompt,
      ).toEqual({ "/r\0b": 3 });
    });

    test("is dropped where it could mean more than one, or none", () => {
      expect(legacy({ worktree_lineage_keys: { w: "L", v: "M" } })?.stop_counts_since_prompt).toBeUndefined();
      expect(legacy({})).toEqual({ count: 9 });
    });

    test.each([
      ["nothing was counted", { stop_count_since_prompt: 0 }, undefined],
      ["it is no number", { stop_count_since_prompt: "3" }, undefined],
      ["turns are counted by lineage already", { stop_counts_since_prompt: { M: 1 } }, { M: 1 }],
    ])("is dropped where %s", (_, more, counts) => {
      const session = legacy({ worktree_lineage_keys: { w: "L" }, ...more });
      expect(session?.stop_counts_since_prompt).toEqual(counts as never);
      expect(session).not.toHaveProperty("stop_count_since_prompt");
    });
  });
});
