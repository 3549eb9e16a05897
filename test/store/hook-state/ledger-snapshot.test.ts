import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import { systemClock } from "../../../src/lib/clock.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";
import { deliver, delivered, holdSnapshots, openLedger, shown } from "./open-ledger.ts";

const sessionsIn = (path: string) => JSON.parse(readFileSync(path, "utf8")).sessions;
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").length - 1;

describe("snapshots of the ledger", () => {
  test("state.json follows within a second or so, in the documented shape, and the journal starts again", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path, systemClock);
    await ledger.transact((staged) => staged.sessions.put("claude:a", { count: 3, last_cwd: "/r" }));
    await waitFor("the snapshot", () => "claude:a" in sessionsIn(paths.hookState));
    expect(sessionsIn(paths.hookState)).toEqual({ "claude:a": { count: 3, last_cwd: "/r" } });
    await waitFor("the new journal", () => linesOf(paths.hookJournal) === 1);
  });

  test("an event that comes while a snapshot is written is answered at once, and a kill then loses nothing", async () => {
    using dir = tempDir();
    const { ledger, files, paths, skip } = await openLedger(dir.path);
    const held = holdSnapshots(files);
    skip(1000);
    await ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    await held.begun;
    await ledger.transact((staged) => staged.sessions.put("a", { count: 2 }));
    await ledger.transact(deliver);
    expect(sessionsIn(paths.hookState)).toEqual({});
    held.release();
    // Below the name of the snapshot stand the two events that it does not hold.
    await waitFor("the new journal", () => linesOf(paths.hookJournal) === 3);
    expect(sessionsIn(paths.hookState)).toEqual({ a: { count: 1 } });
    const killed = await openLedger(dir.path);
    expect(shown(killed.ledger)).toEqual({
      ...delivered,
      sessions: { a: { count: 2 }, ...delivered.sessions },
    } as typeof delivered);
  });

  test("a long journal gets its snapshot although there is never a moment without waiting events", async () => {
    using dir = tempDir();
    const { ledger, files, paths } = await openLedger(dir.path);
    const append = files.append.bind(files);
    files.append = async (batch) => {
      await new Promise(setImmediate);
      return append(batch);
    };
    let isOver = false;
    let count = 0;
    const keepBusy = async (key: string) => {
      while (!isOver) {
        count++;
        const row = { count, last_cwd: `${count}`.padEnd(100_000) };
        await ledger.transact((staged) => staged.sessions.put(key, row));
      }
    };
    const first = keepBusy("a");
    await new Promise(setImmediate); // the second one waits while the first is written, and so on
    const second = keepBusy("b");
    await waitFor("a snapshot", () => "a" in sessionsIn(paths.hookState), 5_000).finally(() => {
      isOver = true;
    });
    await Promise.all([first, second]);
  });

  test("a snapshot that fails is told, and tried again with a later event", async () => {
    using dir = tempDir();
    const { ledger, files, errors, paths, skip } = await openLedger(dir.path);
    skip(1000);
    const begin = files.beginSnapshot.bind(files);
    files.beginSnapshot = async (state) => ({
      ...(await begin(state)),
      write: () => Promise.reject(new Error("ENOSPC")),
    });
    await ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    await waitFor("the failure", () => errors.length > 0);
    files.beginSnapshot = begin;
    skip(1000);
    await ledger.transact((staged) => staged.sessions.get("a"));
    await waitFor("the snapshot", () => sessionsIn(paths.hookState).a?.count === 1);
    expect(errors).toEqual([new Error("ENOSPC")]);
  });

  test("97 while no snapshot can be written, events go on and a kill loses none of them", async () => {
    using dir = tempDir();
    const { ledger, errors, paths, skip } = await openLedger(dir.path);
    renameSync(paths.hookState, dir.join("kept"));
    mkdirSync(paths.hookState); // what a file cannot be renamed to
    for (let n = 1; n <= 3; n++) {
      skip(1000);
      await ledger.transact((staged) => staged.sessions.put("a", { count: n }));
      await waitFor("the failure", () => errors.length === n);
    }
    await ledger.transact(deliver);
    rmdirSync(paths.hookState);
    renameSync(dir.join("kept"), paths.hookState);
    const killed = await openLedger(dir.path);
    expect(shown(killed.ledger)).toEqual({
      ...delivered,
      sessions: { a: { count: 3 }, ...delivered.sessions },
    } as typeof delivered);
    expect(errors[0]).toMatchObject({ code: "E_WRITE" });
  });

  test("close waits for a snapshot that is under way and writes what came after it", async () => {
    using dir = tempDir();
    const { ledger, files, paths, skip } = await openLedger(dir.path);
    const held = holdSnapshots(files);
    skip(1000);
    await ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    await held.begun;
    await ledger.transact((staged) => staged.sessions.put("a", { count: 2 }));
    const closed = ledger.close();
    held.release();
    await closed;
    expect(held.begins).toBe(2);
    expect(sessionsIn(paths.hookState)).toEqual({ a: { count: 2 } });
    expect(linesOf(paths.hookJournal)).toBe(1);
  });

  test("close writes the snapshot; nothing is accepted afterwards", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    await ledger.close();
    expect(sessionsIn(paths.hookState).a).toEqual({ count: 1 });
    await expect(ledger.transact(() => 1)).rejects.toMatchObject({ code: "E_STOPPING" }); // 503, not an error of ours
  });
});
