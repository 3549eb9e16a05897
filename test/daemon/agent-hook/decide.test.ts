import { describe, expect, test } from "bun:test";
import { configuredHookSettings } from "../../../src/config/hook.ts";
import { decideDurably } from "../../../src/daemon/agent-hook/decide.ts";
import { reminderInput } from "../../../src/daemon/agent-hook/event-input.ts";
import { findHarness } from "../../../src/harness/registry.ts";
import type { Place, Question } from "../../../src/reminder/facts.ts";
import { openLedger, shown } from "../../store/hook-state/open-ledger.ts";
import { tempDir } from "../../support/temp.ts";
import { turnEnd } from "./scene.ts";

const place: Place = {
  scope: { worktreeRoot: "/r", trackedRoot: "/r", head: "c2", branch: "main" },
  tracked: true,
  openFailed: [1, 2, 3, 4],
};
const now = new Date("2026-01-02T03:04:05Z");

/** The end of a turn in `/r`, as the policy is told of it. */
function turn(session = "s1", newId = "d1") {
  const harness = findHarness("claude")!;
  const body = { session_id: session, cwd: "/r", ...turnEnd };
  const settings = configuredHookSettings({}, "agent_hook");
  return reminderInput("Stop", body, harness, settings, { place, now, newId });
}

const alive = new AbortController().signal;
const unasked = () => Promise.reject(new Error("nothing was to be asked"));

describe("a durable decision", () => {
  test("is on disk when it is known, with session, fix session and delivery", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const made = await decideDurably(ledger, turn(), unasked, alive, ({ trigger }) => trigger?.ids);
    expect(made).toMatchObject({ before: undefined, after: { count: 1 }, composed: [4, 3, 2, 1] });
    const stored = shown((await openLedger(dir.path)).ledger);
    expect(stored).toEqual(shown(ledger));
    expect(stored).toMatchObject({
      sessions: { "claude:s1": { count: 1, remind_count: 1 } },
      fix_sessions: { "/r\0worktree\0/r": { id: "d1" } },
      deliveries: { d1: { review_ids: [4, 3, 2, 1] } },
    });
  });

  test("asks each question once, outside of the ledger, and decides again on what holds by then", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    await decideDurably(ledger, turn("owner"), unasked, alive, () => undefined);
    const asked: Question[] = [];
    const made = await decideDurably(
      ledger,
      turn("s2", "d2"),
      async (question) => {
        asked.push(question);
        // Meanwhile the owner is done, and another session of the same id has ended a turn.
        await ledger.transact(({ sessions }) => sessions.put("claude:s2", { count: 7 }));
        return [1, 2, 3, 4];
      },
      alive,
      ({ trigger }) => trigger?.fixSessionId,
    );
    expect(asked).toEqual([{ ask: "settled", ids: [4, 3, 2, 1] }]);
    expect(made).toMatchObject({ before: { count: 7 }, after: { count: 8 }, composed: "d2" });
  });

  test("moves a session of an older release to its own key", async () => {
    using dir = tempDir({ "agent-hook/state.json": '{"sessions":{"s1":{"count":4}}}' });
    const { ledger } = await openLedger(dir.path);
    await decideDurably(ledger, turn(), unasked, alive, () => undefined);
    expect([...ledger.published.sessions.keys()]).toEqual(["claude:s1"]);
    expect(ledger.published.sessions.get("claude:s1")).toMatchObject({ count: 5 });
  });

  test("is none when the text cannot be composed, or a question not answered: nothing was consumed", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const fail = () => {
      throw new Error("no text");
    };
    await expect(decideDurably(ledger, turn(), unasked, alive, fail)).rejects.toThrow("no text");
    expect(shown(ledger)).toEqual({ sessions: {} });
    await decideDurably(ledger, turn("owner"), unasked, alive, () => undefined);
    const before = shown(ledger);
    await expect(
      decideDurably(
        ledger,
        turn("s2"),
        () => Promise.reject(new Error("git is gone")),
        alive,
        () => undefined,
      ),
    ).rejects.toThrow("git is gone");
    expect(shown(ledger)).toEqual(before);
  });
});
