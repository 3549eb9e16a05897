import { describe, expect, test } from "bun:test";
import { findSession, isIdle, keysOfSession, withoutAcknowledgements } from "../../src/reminder/state.ts";

const now = new Date("2026-03-01T00:00:00Z");

describe("sessions", () => {
  test("are found under agent and id, else under the bare id of an older release", () => {
    const sessions = new Map([
      ["claude:s1", { count: 1 }],
      ["s2", { count: 2 }],
    ]);
    const get = (key: string) => sessions.get(key);
    expect(findSession(get, "claude", "s1")).toEqual({ key: "claude:s1", session: { count: 1 } });
    expect(findSession(get, "codex", "s1")).toBeUndefined();
    expect(findSession(get, "codex", "s2")).toEqual({ key: "s2", session: { count: 2 } });
  });

  test("are reset by id under any agent, or by their full key", () => {
    const keys = ["claude:s1", "codex:s1", "s1", "claude:s2", "claude:a:b"];
    expect(keysOfSession(keys, "s1")).toEqual(["claude:s1", "codex:s1", "s1"]);
    expect(keysOfSession(keys, "claude:s2")).toEqual(["claude:s2"]);
    expect(keysOfSession(keys, "a:b")).toEqual(["claude:a:b"]);
  });

  test("are idle after 30 days, unless a reminder waits in them", () => {
    expect(isIdle({ count: 1, last_seen_at: "2026-01-01T00:00:00Z" }, now)).toBe(true);
    expect(isIdle({ count: 1, last_seen_at: "2026-02-20T00:00:00Z" }, now)).toBe(false);
    expect(isIdle({ count: 1, last_seen_at: "2026-01-01T00:00:00Z", pending_reminders: {} }, now)).toBe(
      false,
    );
    expect(isIdle({ count: 1 }, now)).toBe(false);
  });

  test("lose the acknowledgements of reviews that are gone, and keep the rest as it is", () => {
    const session = { count: 1, acknowledged_review_ids: { a: { "1": {}, "2": {} }, b: { "1": {} } } };
    expect(withoutAcknowledgements(session, (id) => id === 1)).toEqual({
      count: 1,
      acknowledged_review_ids: { a: { "2": {} } },
    });
    expect(withoutAcknowledgements(session, () => true)).toEqual({ count: 1 });
    expect(withoutAcknowledgements(session, () => false)).toBe(session);
  });
});
