import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Session } from "../../../src/reminder/state.ts";
import {
  applyBatch,
  batchLine,
  continuationOf,
  generationLine,
} from "../../../src/store/hook-state/journal.ts";
import { sessionChanges } from "../../../src/store/hook-state/session-changes.ts";
import { tempDir } from "../../support/temp.ts";
import { emptyState, sessions, textOf } from "./arbitrary-state.ts";
import { openLedger } from "./open-ledger.ts";

const acknowledged = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [String(n), {}]));

test("an event writes what it changed of a session, however many reviews that was told about", async () => {
  using dir = tempDir();
  const { ledger, paths } = await openLedger(dir.path);
  const told: Session = {
    count: 1,
    acknowledged_review_ids: { "/r\0main": acknowledged },
    last_turn_id: "t",
  };
  await ledger.transact((staged) => staged.sessions.put("claude:a", told));
  const before = readFileSync(paths.hookJournal, "utf8").length;
  await ledger.transact((staged) => {
    const { last_turn_id: _, ...session } = staged.sessions.get("claude:a")!;
    staged.sessions.put("claude:a", { ...session, count: 2 });
  });
  expect(readFileSync(paths.hookJournal, "utf8").length - before).toBeLessThan(100);
  const after = { count: 2, acknowledged_review_ids: { "/r\0main": acknowledged } };
  expect([...ledger.published.sessions]).toEqual([["claude:a", after]]);
  const killed = await openLedger(dir.path);
  expect([...killed.ledger.published.sessions]).toEqual([["claude:a", after]]);
});

test("events of one batch on the same session are written as one change, and a session that is gone as that", async () => {
  using dir = tempDir();
  const { ledger } = await openLedger(dir.path);
  await ledger.transact((staged) => staged.sessions.put("claude:a", { count: 1, last_cwd: "/r" }));
  await ledger.transact((staged) => staged.sessions.put("claude:b", { count: 1 }));
  const countUp = () =>
    ledger.transact(({ sessions }) => {
      const session = sessions.get("claude:a")!;
      sessions.put("claude:a", { ...session, count: session.count + 1 });
    });
  await Promise.all([countUp(), countUp(), ledger.transact(({ sessions }) => sessions.forget("claude:b"))]);
  const expected = [["claude:a", { count: 3, last_cwd: "/r" }]];
  expect([...ledger.published.sessions]).toEqual(expected as never);
  expect([...(await openLedger(dir.path)).ledger.published.sessions]).toEqual(expected as never);
});

test("whatever a session was and becomes, its changes written and read make the one of the other", () => {
  const rows = fc.option(sessions);
  // What did not change is the same object.
  const kept = fc.tuple(rows, rows, fc.boolean()).map(([before, after, keeps]) => {
    const next = after && keeps ? ({ ...before, ...after } as Session) : after;
    return [before, next] as const;
  });
  fc.assert(
    fc.property(kept, ([before, after]) => {
      const state = emptyState();
      if (before) state.sessions.set("claude:a", before);
      const changes = sessionChanges(state.sessions, new Map([["claude:a", after]]));
      const { batches } = continuationOf("g", Buffer.from(generationLine("g") + batchLine(changes)));
      applyBatch(state, batches[0]!);
      const expected = emptyState();
      if (after) expected.sessions.set("claude:a", after);
      expect(JSON.parse(textOf(state))).toEqual(JSON.parse(textOf(expected)));
    }),
    { numRuns: 500 },
  );
});
