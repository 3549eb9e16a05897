import { afterEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { dataPaths } from "../../../src/config/paths.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { HookStateFiles } from "../../../src/store/hook-state/hook-state.ts";
import { HookLedger } from "../../../src/store/hook-state/ledger.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

// A test "kills" a daemon by opening its files again; the abandoned handles are closed here.
const opened: HookStateFiles[] = [];
afterEach(async () => {
  for (const files of opened.splice(0)) await files.close();
});

async function openLedger(dataDir: string) {
  const paths = dataPaths(dataDir);
  const { files, state } = await HookStateFiles.open(paths);
  opened.push(files);
  const errors: unknown[] = [];
  return {
    paths,
    files,
    state,
    errors,
    ledger: new HookLedger(files, state, systemClock, (error) => errors.push(error)),
  };
}

const count = (ledger: HookLedger, key: string) => ledger.published.sessions.get(key)?.count;

describe("hook ledger", () => {
  test("an answered event survives without any further write", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.put("claude:a", { count: 3 }));
    // No close: the process is gone.
    const second = await openLedger(dir.path);
    expect(count(second.ledger, "claude:a")).toBe(3);
  });

  test("events that wait are decided in order, each on what the earlier ones left", async () => {
    using dir = tempDir();
    const { ledger } = await openLedger(dir.path);
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        ledger.transact((staged) => {
          const next = (staged.get("claude:a")?.count ?? 0) + 1;
          staged.put("claude:a", { count: next });
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
      ledger.transact((staged) => staged.put("a", { count: 1 })),
      ledger.transact((staged) => {
        staged.put("a", { count: 99 });
        throw new Error("no");
      }),
      ledger.transact((staged) => staged.get("a")?.count),
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
    const first = ledger.transact((staged) => staged.put("a", { count: 1 })).then(() => order.push("first"));
    const second = ledger
      .transact((staged) => staged.get("a")?.count)
      .then((seen) => order.push(`second ${seen}`));
    expect(count(ledger, "a")).toBeUndefined();
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second 1"]);
  });

  test("a lone event whose decision throws leaves nothing, and one that changes nothing writes nothing", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.put("a", { count: 1 }));
    const journal = readFileSync(paths.hookJournal);
    const failing = ledger.transact((staged) => {
      staged.put("a", { count: 99 });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await ledger.transact((staged) => staged.get("a")?.count)).toBe(1);
    expect(readFileSync(paths.hookJournal)).toEqual(journal);
  });

  test("97 a write that fails answers no event of the batch and publishes nothing; the next one works again", async () => {
    using dir = tempDir();
    const { ledger, files } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.put("a", { count: 1 }));
    const append = files.append.bind(files);
    files.append = () => Promise.reject(new Error("ENOSPC"));
    const failed = await Promise.allSettled(
      [1, 2].map((n) => ledger.transact((staged) => staged.put("a", { count: 10 + n }))),
    );
    expect(failed.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(count(ledger, "a")).toBe(1);
    files.append = append;
    await ledger.transact((staged) => staged.put("a", { count: 2 }));
    const again = await openLedger(dir.path);
    expect(count(again.ledger, "a")).toBe(2);
  });

  test("a line torn by a crash is dropped; what was acknowledged before and comes after is kept", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.put("a", { count: 1 }));
    appendFileSync(first.paths.hookJournal, 'deadbeef {"sessions":{"a":{"count":7');
    const second = await openLedger(dir.path);
    expect(count(second.ledger, "a")).toBe(1);
    await second.ledger.transact((staged) => staged.put("b", { count: 2 }));
    const third = await openLedger(dir.path);
    expect([count(third.ledger, "a"), count(third.ledger, "b")]).toEqual([1, 2]);
  });

  test("cut off at any byte, a journal still gives every batch that was whole", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    for (let n = 1; n <= 5; n++) await first.ledger.transact((staged) => staged.put("a", { count: n }));
    const whole = readFileSync(first.paths.hookJournal);
    const snapshot = readFileSync(first.paths.hookState);
    let last = 0;
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(first.paths.hookState, snapshot);
      writeFileSync(first.paths.hookJournal, whole.subarray(0, length));
      const { state, files } = await HookStateFiles.open(first.paths);
      const seen = state.sessions.get("a")?.count ?? 0;
      expect(seen).toBeGreaterThanOrEqual(last);
      last = seen;
      await files.close();
    }
    expect(last).toBe(5);
  });

  test("a journal of another generation, or without a snapshot, says nothing", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.put("a", { count: 1 }));
    unlinkSync(first.paths.hookState);
    const second = await openLedger(dir.path);
    expect(second.ledger.published.sessions.size).toBe(0);
  });

  test("84 an unreadable snapshot makes the state unavailable and neither file is touched", async () => {
    using dir = tempDir({
      "agent-hook/state.json": '{"sessions": {"a": ',
      "agent-hook/state.journal": "xyz",
    });
    const paths = dataPaths(dir.path);
    await expect(HookStateFiles.open(paths)).rejects.toThrow(/^Agent Hook state is unavailable: /);
    expect(readFileSync(paths.hookState, "utf8")).toBe('{"sessions": {"a": ');
    expect(readFileSync(paths.hookJournal, "utf8")).toBe("xyz");
  });

  test("state.json follows within a second or so, in the documented shape, and the journal starts again", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.put("claude:a", { count: 3, last_cwd: "/r" }));
    const snapshot = await waitFor("the snapshot", () => {
      const read = JSON.parse(readFileSync(paths.hookState, "utf8"));
      return read.sessions["claude:a"] ? read : undefined;
    });
    expect(snapshot.sessions).toEqual({ "claude:a": { count: 3, last_cwd: "/r" } });
    await waitFor("the new journal", () => readFileSync(paths.hookJournal, "utf8").split("\n").length === 2);
  });

  test("close writes the snapshot; nothing is accepted afterwards", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.put("a", { count: 1 }));
    await ledger.close();
    expect(JSON.parse(readFileSync(paths.hookState, "utf8")).sessions.a).toEqual({ count: 1 });
    await expect(ledger.transact(() => 1)).rejects.toMatchObject({ code: "E_STOPPING" }); // 503, not an error of ours
  });

  test("a journal that was lost while the daemon runs is started anew with the next snapshot, not with lost events", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.put("a", { count: 1 }));
    truncateSync(paths.hookJournal, 0);
    await ledger.close();
    const again = await openLedger(dir.path);
    expect(count(again.ledger, "a")).toBe(1);
    expect(existsSync(paths.hookJournal)).toBe(true);
  });

  test("hostile session ids are ordinary keys", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    for (const key of ["__proto__", "constructor", "a\0b", ""])
      await first.ledger.transact((staged) => staged.put(key, { count: 1 }));
    await first.ledger.close();
    const second = await openLedger(dir.path);
    expect([...second.ledger.published.sessions.keys()].sort()).toEqual([
      "",
      "__proto__",
      "a\0b",
      "constructor",
    ]);
  });
});
