import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { StagedState } from "../../../src/reminder/state.ts";
import { delivery } from "../../support/hook-rows.ts";
import { tempDir } from "../../support/temp.ts";
import { count, deliver, delivered, openLedger, shown } from "./open-ledger.ts";

describe("hook ledger", () => {
  test("94 session, fix session and delivery of one event are stored together and survive a kill and a restart", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact(deliver);
    expect(shown(first.ledger)).toEqual(delivered);
    const killed = await openLedger(dir.path);
    expect(shown(killed.ledger)).toEqual(delivered);
    await killed.ledger.transact(({ fixSessions }) => fixSessions.forget("/r\0worktree\0/r"));
    await killed.ledger.close();
    const { fix_sessions: _, ...rest } = delivered;
    expect(shown((await openLedger(dir.path)).ledger)).toEqual(rest as typeof delivered);
  });

  test("97 an event whose decision throws, alone or among others, leaves nothing in any table", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const fail = (staged: StagedState) => {
      deliver(staged);
      throw new Error("no");
    };
    const outcomes = await Promise.allSettled([
      ledger.transact(fail),
      ledger.transact((staged) => staged.sessions.put("b", { count: 2 })),
      ledger.transact(fail),
      ledger.transact((staged) => [staged.fixSessions.keys(), staged.deliveries.keys()]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[3]).toMatchObject({ value: [[], []] });
    expect(shown(ledger)).toEqual({ sessions: { b: { count: 2 } } });
  });

  test("97 a write that fails publishes no fix session and no delivery", async () => {
    using dir = tempDir();
    const { ledger, files } = await openLedger(dir.path);
    files.append = () => Promise.reject(new Error("ENOSPC"));
    await expect(ledger.transact(deliver)).rejects.toThrow("ENOSPC");
    expect(shown(ledger)).toEqual({ sessions: {} });
  });

  test("an event of a batch sees what earlier ones put and forgot, in every table and in order", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    await ledger.transact(deliver);
    const results = await Promise.all([
      ledger.transact(({ deliveries }) => deliveries.put("d2", delivery)),
      ledger.transact(({ fixSessions }) => fixSessions.forget("/r\0worktree\0/r")),
      ledger.transact(({ deliveries }) => deliveries.put("d1", { ...delivery, answered_at: "x" })),
      ledger.transact(({ fixSessions, deliveries }) => [fixSessions.keys(), deliveries.keys()]),
    ]);
    expect(results[3]).toEqual([[], ["d1", "d2"]]);
    expect([...ledger.published.deliveries.keys()]).toEqual(["d1", "d2"]);
  });

  test("events that wait are decided in order, each on what the earlier ones left", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        ledger.transact((staged) => {
          const next = (staged.sessions.get("claude:a")?.count ?? 0) + 1;
          staged.sessions.put("claude:a", { count: next });
          return next;
        }),
      ),
    );
    expect(results).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  test("an event whose decision throws fails alone and changes nothing", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const outcomes = await Promise.allSettled([
      ledger.transact((staged) => staged.sessions.put("a", { count: 1 })),
      ledger.transact((staged) => {
        staged.sessions.put("a", { count: 99 });
        throw new Error("no");
      }),
      ledger.transact((staged) => staged.sessions.get("a")?.count),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[2]).toMatchObject({ value: 1 });
    expect(count(ledger, "a")).toBe(1);
  });

  test("an event that comes during a write sees what is being written, and is answered after it", async () => {
    using dir = tempDir();
    const { ledger, files } = await openLedger(dir.path);
    const append = files.append.bind(files);
    const gate = Promise.withResolvers<void>();
    files.append = async (batch) => {
      await gate.promise;
      return append(batch);
    };
    const order: string[] = [];
    const first = ledger
      .transact((staged) => staged.sessions.put("a", { count: 1 }))
      .then(() => order.push("first"));
    const second = ledger
      .transact((staged) => staged.sessions.get("a")?.count)
      .then((seen) => order.push(`second ${seen}`));
    expect(count(ledger, "a")).toBeUndefined();
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second 1"]);
  });

  test("a lone event whose decision throws leaves nothing, and one that changes nothing writes nothing", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    const journal = readFileSync(paths.hookJournal);
    const failing = ledger.transact((staged) => {
      staged.sessions.put("a", { count: 99 });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await ledger.transact((staged) => staged.sessions.get("a")?.count)).toBe(1);
    await ledger.transact(({ fixSessions }) => fixSessions.forget("nobody's"));
    expect(readFileSync(paths.hookJournal)).toEqual(journal);
  });

  test("97 when the write of the events that waited fails, all of them do and nothing of them is published", async () => {
    using dir = tempDir();
    const { ledger, files } = await openLedger(dir.path);
    const append = files.append.bind(files);
    const gate = Promise.withResolvers<void>();
    files.append = async (batch) => {
      files.append = () => Promise.reject(new Error("ENOSPC"));
      await gate.promise;
      return append(batch);
    };
    const countUp = () =>
      ledger.transact(({ sessions, deliveries }) => {
        const next = (sessions.get("a")?.count ?? 0) + 1;
        sessions.put("a", { count: next });
        deliveries.put(`d${next}`, delivery);
        return next;
      });
    const first = countUp();
    const waiting = Array.from({ length: 20 }, countUp);
    gate.resolve();
    expect(await first).toBe(1);
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes).toEqual(
      Array.from({ length: 20 }, () => ({ status: "rejected", reason: new Error("ENOSPC") })),
    );
    const published = { sessions: { a: { count: 1 } }, deliveries: { d1: delivery } };
    expect(shown(ledger)).toEqual(published as never);
    await expect(countUp()).rejects.toThrow("ENOSPC"); // alone as well
    files.append = append;
    expect(await Promise.all([countUp(), countUp()])).toEqual([2, 3]);
    const again = await openLedger(dir.path);
    expect(count(again.ledger, "a")).toBe(3);
    expect([...again.ledger.published.deliveries.keys()]).toEqual(["d1", "d2", "d3"]);
  });
});
