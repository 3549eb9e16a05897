import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Clock } from "../../src/lib/clock.ts";
import { databaseError, retryBusy } from "../../src/store/retry-busy.ts";
import { storeFixture } from "./store-fixture.ts";

test("G15 a call waits for another writer without stopping the event loop, then goes through", async () => {
  using f = await storeFixture();
  const writer = new Database(f.path);
  writer.run("BEGIN IMMEDIATE");
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 1);
  const call = retryBusy(() => f.enqueue());
  setTimeout(() => writer.run("COMMIT"), 300);
  const id = await call;
  clearInterval(ticker);
  writer.close(true);
  expect(f.store.jobs.get(id)?.status).toBe("queued");
  expect(ticks).toBeGreaterThan(2);
});

test("G15 a writer that never ends is reported as E_BUSY, reading goes on", async () => {
  using f = await storeFixture();
  const id = f.enqueue();
  using writer = new Database(f.path);
  writer.run("BEGIN IMMEDIATE");
  await expect(retryBusy(() => f.store.jobs.cancel(id), { timeoutMs: 150 })).rejects.toMatchObject({
    code: "E_BUSY",
    hint: expect.stringContaining("Try again"),
  });
  expect(f.store.jobs.get(id)?.status).toBe("queued");
  writer.run("ROLLBACK");
  expect(f.store.jobs.cancel(id)).toBe(true);
});

test("by default it gives up after five seconds of the given clock", async () => {
  let now = 0;
  const clock: Clock = { now: () => new Date(now), monotonicMs: () => now };
  let tries = 0;
  const busy = () => {
    tries++;
    now += 500;
    throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY_SNAPSHOT" });
  };
  await expect(retryBusy(busy, { clock })).rejects.toMatchObject({ code: "E_BUSY" });
  expect(tries).toBe(10);
});

test("other errors pass at once", async () => {
  let tries = 0;
  const full = () => {
    tries++;
    throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  };
  await expect(retryBusy(full)).rejects.toThrow("disk is full");
  expect(tries).toBe(1);
});

test("what SQLite could not do is told in words, with what to do about a full disk", () => {
  const failed = (code: string) => databaseError(Object.assign(new Error("some detail"), { code }));
  expect(failed("SQLITE_FULL")).toMatchObject({
    code: "E_DATABASE",
    message: "the disk is full, the review database cannot be written",
    hint: "Make room and try again.",
  });
  expect(failed("SQLITE_IOERR_WRITE")).toMatchObject({
    code: "E_DATABASE",
    message: "the review database failed: some detail",
  });
  expect(failed("EOTHER")).toMatchObject({ code: "EOTHER", message: "some detail" });
});
