import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { systemClock } from "../../../src/lib/clock.ts";
import type { HookState, Session } from "../../../src/reminder/state.ts";
import { HookLedger } from "../../../src/store/hook-state/ledger.ts";
import { parseSnapshot } from "../../../src/store/hook-state/snapshot.ts";
import { SnapshotText } from "../../../src/store/hook-state/snapshot-text.ts";
import { tempDir } from "../../support/temp.ts";
import { emptyState } from "./arbitrary-state.ts";
import { openLedger } from "./open-ledger.ts";

const many = 10_000;

const session = (count: number): Session => ({
  count,
  repo_heads: Object.fromEntries([1, 2, 3].map((n) => [`/home/repo${n}\0main`, "a".repeat(40)])),
  last_cwd: "/home/repo1",
});

/** Counts how often somebody walks through it. */
class WatchedMap<V> extends Map<string, V> {
  walks = 0;
  override keys() {
    this.walks++;
    return super.keys();
  }
  override values() {
    this.walks++;
    return super.values();
  }
  override entries() {
    this.walks++;
    return super.entries();
  }
  override forEach(...args: Parameters<Map<string, V>["forEach"]>) {
    this.walks++;
    super.forEach(...args);
  }
  override [Symbol.iterator]() {
    return this.entries();
  }
}

function fill(state: HookState): void {
  for (let n = 0; n < many; n++) state.sessions.set(`claude:${n}`, session(n));
}

describe("10,000 sessions", () => {
  test("an event looks at its own session only, and writes only that", async () => {
    using dir = tempDir();
    const { files, paths } = await openLedger(dir.path);
    const sessions = new WatchedMap<Session>();
    const state = { ...emptyState(), sessions };
    fill(state);
    const atRest = { now: systemClock.now, monotonicMs: () => 0 };
    const ledger = new HookLedger(files, state, atRest, () => {});
    sessions.walks = 0;
    const before = statSync(paths.hookJournal).size;
    await ledger.transact((staged) => {
      const seen = staged.sessions.get("claude:5");
      staged.sessions.put("claude:5", { ...seen, count: 6 });
    });
    await Promise.all([1, 2].map((n) => ledger.transact(({ sessions }) => sessions.put("new", session(n)))));
    expect(sessions.walks).toBe(0);
    expect(statSync(paths.hookJournal).size - before).toBeLessThan(3 * 400);
    await ledger.transact((staged) => staged.sessions.keys());
    expect(sessions.walks).toBeGreaterThan(0); // the counter counts
  });

  test("a snapshot renders the rows that were replaced, and no other again", () => {
    const state = emptyState();
    fill(state);
    const text = new SnapshotText();
    expect([...text.chunks({ generation: "g", state })].length).toBeGreaterThan(1);
    expect(text.renderedRows).toBe(many);
    state.sessions.set("claude:7", session(-1));
    state.sessions.set("claude:new", session(1));
    state.sessions.delete("claude:8");
    const again = [...text.chunks({ generation: "h", state })].join("");
    expect(text.renderedRows).toBe(many + 2);
    const read = parseSnapshot(again).state.sessions;
    expect(read).toEqual(state.sessions);
    expect(read.get("claude:7")?.count).toBe(-1);
  });

  test("comes in pieces of bounded size, and other work goes on between them while the published state changes", async () => {
    const state = emptyState();
    fill(state);
    const longest = 1024;
    const pieces = [...new SnapshotText().chunks({ generation: "g", state })];
    for (const piece of pieces) expect(piece.length).toBeLessThan(256 * 1024 + longest);
    using dir = tempDir();
    const { files, paths } = await openLedger(dir.path);
    const snapshot = await files.beginSnapshot(state);
    let turns = 0;
    let rendered = 0;
    let mostAtOnce = 0;
    let isWritten = false;
    const written = snapshot.write().finally(() => {
      isWritten = true;
    });
    while (!isWritten) {
      turns++;
      mostAtOnce = Math.max(mostAtOnce, files.text.renderedRows - rendered);
      rendered = files.text.renderedRows;
      state.sessions.set(`claude:${turns}`, session(-turns));
      state.sessions.delete(`claude:${many - turns}`);
      await new Promise(setImmediate);
    }
    await written;
    expect(files.text.renderedRows).toBe(many);
    expect(mostAtOnce).toBeLessThan(many / 2);
    const read = parseSnapshot(readFileSync(paths.hookState, "utf8")).state.sessions;
    expect(read.size).toBe(many);
    expect(read.get("claude:1")?.count).toBe(1);
  });

  test("all of them are there again after a restart, with what the journal holds", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact(({ sessions }) => {
      for (let n = 0; n < many; n++) sessions.put(`claude:${n}`, session(n));
    });
    await first.ledger.close();
    const second = await openLedger(dir.path);
    await second.ledger.transact(({ sessions }) => sessions.put("claude:3", session(33)));
    const third = await openLedger(dir.path);
    expect(third.ledger.published.sessions.size).toBe(many);
    expect(third.ledger.published.sessions.get("claude:3")?.count).toBe(33);
  });
});
