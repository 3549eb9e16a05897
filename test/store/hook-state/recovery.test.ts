import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { dataPaths } from "../../../src/config/paths.ts";
import { HookStateFiles } from "../../../src/store/hook-state/hook-state.ts";
import { tempDir } from "../../support/temp.ts";
import { count, openLedger } from "./open-ledger.ts";

describe("hook state after a kill", () => {
  test("an answered event survives without any further write", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.sessions.put("claude:a", { count: 3 }));
    // No close: the process is gone.
    const second = await openLedger(dir.path);
    expect(count(second.ledger, "claude:a")).toBe(3);
  });

  test("a line torn by a crash is dropped; what was acknowledged before and comes after is kept", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    appendFileSync(first.paths.hookJournal, 'deadbeef {"sessions":{"a":{"count":7');
    const second = await openLedger(dir.path);
    expect(count(second.ledger, "a")).toBe(1);
    await second.ledger.transact((staged) => staged.sessions.put("b", { count: 2 }));
    const third = await openLedger(dir.path);
    expect([count(third.ledger, "a"), count(third.ledger, "b")]).toEqual([1, 2]);
  });

  test("damage with acknowledged lines behind it is told once, and the file is kept aside as it was", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    for (const count of [1, 2, 3])
      await first.ledger.transact((staged) => staged.sessions.put("a", { count }));
    const { hookJournal, hookDir } = first.paths;
    const lines = readFileSync(hookJournal, "utf8").split("\n");
    lines[2] = `00${lines[2]?.slice(2)}`;
    writeFileSync(hookJournal, lines.join("\n"));
    const damaged = readFileSync(hookJournal, "utf8");
    const { files, state, damage } = await HookStateFiles.open(first.paths);
    await files.close();
    expect(state.sessions.get("a")?.count).toBe(1);
    const aside = readdirSync(hookDir).filter((name) => name.includes("damaged"));
    expect(aside).toEqual([expect.stringMatching(/^state\.journal\.damaged-20[\dT-]+Z$/)]);
    expect(readFileSync(join(hookDir, aside[0] as string), "utf8")).toBe(damaged);
    const at = damaged.indexOf(lines[2]);
    expect(damage?.message).toBe(
      `${hookJournal} was damaged at byte ${at}: its last ${damaged.length - at} bytes were dropped, ` +
        `and the whole file kept as ${join(hookDir, aside[0] as string)}`,
    );
    const again = await HookStateFiles.open(first.paths);
    await again.files.close();
    expect([again.damage, again.state.sessions.get("a")?.count]).toEqual([undefined, 1]);
    expect(readdirSync(hookDir).filter((name) => name.includes("damaged"))).toEqual(aside);
  });

  test("a torn last line is no damage: nothing is told and nothing kept aside", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
    appendFileSync(first.paths.hookJournal, 'deadbeef {"sessions":{"a":{"count":7}}}\nrubbish\n\0\0');
    const { files, damage } = await HookStateFiles.open(first.paths);
    await files.close();
    expect(damage).toBeUndefined();
    expect(readdirSync(first.paths.hookDir).sort()).toEqual(["state.journal", "state.json"]);
  });

  test("cut off at any byte, a journal still gives every batch that was whole", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    for (let n = 1; n <= 5; n++)
      await first.ledger.transact((staged) => staged.sessions.put("a", { count: n }));
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
  }, 120_000);

  test("a journal of another generation, or without a snapshot, says nothing", async () => {
    using dir = tempDir();
    const first = await openLedger(dir.path);
    await first.ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
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

  test("a journal that was lost while the daemon runs is started anew with the next snapshot, not with lost events", async () => {
    using dir = tempDir();
    const { ledger, paths } = await openLedger(dir.path);
    await ledger.transact((staged) => staged.sessions.put("a", { count: 1 }));
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
      await first.ledger.transact((staged) => staged.sessions.put(key, { count: 1 }));
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
