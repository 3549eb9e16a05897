import { describe, expect, test } from "bun:test";
import { parseSnapshot, renderSnapshot } from "../../../src/store/hook-state/snapshot.ts";

const parse = (value: unknown) => parseSnapshot(JSON.stringify(value)).state;

describe("snapshot", () => {
  test("83 a snapshot of the documented shape loads with every field, known or not", () => {
    const sessions = {
      s1: {
        count: 4,
        acknowledged_review_ids: { "/r\0main": { "11": {} } },
        commit_count: 7,
        future_field: [1],
      },
    };
    const state = parse({ sessions, fix_sessions: { w: { id: "x" } } });
    expect(state.sessions.get("s1")).toEqual(sessions.s1);
    const rendered = JSON.parse(renderSnapshot({ generation: "g", state }));
    expect(rendered).toEqual({ generation: "g", sessions, fix_sessions: { w: { id: "x" } } });
  });

  test("is indented by two spaces and ends with a newline", () => {
    expect(renderSnapshot({ generation: "g", state: parse({ sessions: { a: { count: 1 } } }) })).toBe(
      '{\n  "generation": "g",\n  "sessions": {\n    "a": {\n      "count": 1\n    }\n  }\n}\n',
    );
  });

  test.each([
    [[]],
    [{ sessions: [] }],
    [{ sessions: { a: 1 } }],
    [{ sessions: { a: { count: "x" } } }],
    [{ sessions: { a: { repo_heads: [] } } }],
    [null],
  ])("refuses %j", (value) => {
    expect(() => parse(value)).toThrow();
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
  });
});
