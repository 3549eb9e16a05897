import { describe, expect, test } from "bun:test";
import { configuredHookSettings } from "../../../src/config/hook.ts";
import { decideDurably, type Sources } from "../../../src/daemon/agent-hook/decide.ts";
import { reminderInput } from "../../../src/daemon/agent-hook/event-input.ts";
import { findHarness } from "../../../src/harness/registry.ts";
import type { Decision } from "../../../src/reminder/decision.ts";
import type { Place, Question } from "../../../src/reminder/facts.ts";
import type { HookLedger } from "../../../src/store/hook-state/ledger.ts";
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
  return reminderInput("Stop", body, harness, settings, { place, isElsewhere: false, now, newId });
}

const alive = new AbortController().signal;
/** Nothing but the one thing that every reminder asks. */
const unasked = async (question: Question) => {
  if (question.ask === "skill") return "unknown";
  throw new Error("nothing was to be asked");
};

/** Decides a turn's end; `more` replaces what it is decided with. */
function decide<T>(
  ledger: HookLedger,
  compose: (decision: Decision) => T,
  { session = "s1", newId = "d1", ...more }: { session?: string; newId?: string } & Partial<Sources> = {},
) {
  const sources = { look: async () => turn(session, newId), answer: unasked, ...more };
  return decideDurably(ledger, { agent: "claude", id: session }, sources, alive, compose);
}

describe("a durable decision", () => {
  test("is on disk when it is known, with session, fix session and delivery", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const made = await decide(ledger, ({ trigger }) => trigger?.ids);
    expect(made).toMatchObject({ before: undefined, after: { count: 1 }, composed: [4, 3, 2, 1] });
    const stored = shown((await openLedger(dir.path)).ledger);
    expect(stored).toEqual(shown(ledger));
    expect(stored).toMatchObject({
      sessions: { "claude:s1": { count: 1, remind_count: 1 } },
      fix_sessions: { "/r\0worktree\0/r": { id: "d1" } },
      deliveries: { d1: { review_ids: [4, 3, 2, 1] } },
    });
  });

  test("asks each question once, outside of the ledger, and decides on what holds by then", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    await decide(ledger, () => undefined, { session: "owner" });
    const asked: Question[] = [];
    const answer = async (question: Question) => {
      asked.push(question);
      if (question.ask === "skill") return "unknown";
      await ledger.transact(({ fixSessions }) => fixSessions.forget("/r\0worktree\0/r")); // the owner is done
      return [];
    };
    const made = await decide(ledger, ({ trigger }) => trigger?.fixSessionId, {
      session: "s2",
      newId: "d2",
      answer,
    });
    expect(asked).toEqual([{ ask: "settled", ids: [4, 3, 2, 1] }, { ask: "skill" }]);
    expect(made.composed).toBe("d2");
  });

  test("looks again, and asks again, when another event of the session was decided meanwhile", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    await decide(ledger, () => undefined, { session: "owner" });
    const done: string[] = [];
    const overtake = (count: number) =>
      ledger.transact(({ sessions }) => sessions.put("claude:s2", { count }));
    const made = await decide(ledger, () => undefined, {
      session: "s2",
      look: async () => {
        done.push("look");
        if (done.length === 1) await overtake(7);
        return turn("s2");
      },
      answer: async (question) => {
        if (question.ask === "skill") return "unknown";
        done.push("answer");
        if (done.length === 3) await overtake(8);
        return [1, 2, 3, 4];
      },
    });
    expect(done).toEqual(["look", "look", "answer", "look", "answer"]);
    expect(made).toMatchObject({ before: { count: 8 }, after: { count: 9 } });
  });

  test("is taken in the end, however often it is overtaken", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    let looks = 0;
    const look = async () => {
      await ledger.transact(({ sessions }) => sessions.put("claude:s1", { count: ++looks }));
      return turn();
    };
    expect(await decide(ledger, () => undefined, { look })).toMatchObject({ after: { count: looks + 1 } });
    expect(looks).toBeLessThan(10);
  });

  test("is not taken again for what other sessions do", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    let looks = 0;
    const look = async () => {
      looks++;
      await ledger.transact(({ sessions }) => sessions.put("claude:other", { count: 1 }));
      return turn();
    };
    await decide(ledger, () => undefined, { look });
    expect(looks).toBe(1);
  });

  test("moves a session of an older release to its own key", async () => {
    using dir = tempDir({ "agent-hook/state.json": '{"sessions":{"s1":{"count":4}}}' });
    const { ledger } = await openLedger(dir.path);
    await decide(ledger, () => undefined);
    expect([...ledger.published.sessions.keys()]).toEqual(["claude:s1"]);
    expect(ledger.published.sessions.get("claude:s1")).toMatchObject({ count: 5 });
  });

  test("is none when the text cannot be composed, or a question not answered: nothing was consumed", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const fail = () => {
      throw new Error("no text");
    };
    await expect(decide(ledger, fail)).rejects.toThrow("no text");
    expect(shown(ledger)).toEqual({ sessions: {} });
    await decide(ledger, () => undefined, { session: "owner" });
    const before = shown(ledger);
    const answer = () => Promise.reject(new Error("git is gone"));
    await expect(decide(ledger, () => undefined, { session: "s2", answer })).rejects.toThrow("git is gone");
    expect(shown(ledger)).toEqual(before);
  });
});
