import { expect, test } from "bun:test";
import type { SnapshotCost } from "../../../src/store/hook-state/hook-state.ts";
import { SnapshotSchedule } from "../../../src/store/hook-state/snapshot-schedule.ts";
import { waitFor } from "../../support/wait.ts";

/** A schedule of snapshots that cost `cost`, in a time that moves only by hand. */
function scheduleOf(cost: SnapshotCost) {
  const at = { ms: 0, isOverdue: false, begun: 0, finished: 0, errors: 0 };
  let failure: Error | undefined;
  const schedule = new SnapshotSchedule({
    clock: { now: () => new Date(at.ms), monotonicMs: () => at.ms },
    isOverdue: () => at.isOverdue,
    alone: (step) => step(),
    begin: async () => {
      at.begun++;
      return {
        write: async () => {
          if (failure) throw failure;
          return cost;
        },
        finish: async () => {
          at.finished++;
        },
      };
    },
    onError: () => at.errors++,
  });
  return {
    at,
    fail: (error: Error | undefined) => {
      failure = error;
    },
    /** Whether an event at this time begins a snapshot. */
    async eventAt(ms: number): Promise<boolean> {
      const { begun, finished, errors } = at;
      at.ms = ms;
      schedule.markDirty();
      schedule.tick();
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      if (at.begun > begun) await waitFor("its end", () => at.finished + at.errors > finished + errors);
      return at.begun > begun;
    },
    close: () => schedule.close(),
  };
}

const cheap = { bytes: 1000, blockedMs: 0.1 };

test("a snapshot is written at most once a second", async () => {
  const { eventAt } = scheduleOf(cheap);
  expect(await eventAt(999)).toBe(false);
  expect(await eventAt(1000)).toBe(true);
  expect(await eventAt(1999)).toBe(false);
  expect(await eventAt(2000)).toBe(true);
});

test("one that holds up the event loop is followed by 49 times that in rest", async () => {
  const { eventAt } = scheduleOf({ bytes: 1000, blockedMs: 100 });
  expect(await eventAt(1000)).toBe(true);
  expect(await eventAt(1000 + 4899)).toBe(false);
  expect(await eventAt(1000 + 4900)).toBe(true);
});

test("a big one is written no oftener than makes a MiB a second", async () => {
  const { eventAt } = scheduleOf({ bytes: 10 * 1024 * 1024, blockedMs: 20 });
  expect(await eventAt(1000)).toBe(true);
  expect(await eventAt(10_999)).toBe(false);
  expect(await eventAt(11_000)).toBe(true);
});

test("a long journal does not wait, unless the last snapshot failed", async () => {
  const { at, eventAt, fail } = scheduleOf(cheap);
  at.isOverdue = true;
  expect(await eventAt(1)).toBe(true);
  fail(new Error("ENOSPC"));
  expect(await eventAt(2)).toBe(true);
  expect(at.errors).toBe(1);
  expect(await eventAt(3)).toBe(false);
  fail(undefined);
  expect(await eventAt(1002)).toBe(true);
  expect(at).toMatchObject({ finished: 2, errors: 1 });
});

test("without a change nothing is written, not at the end either", async () => {
  const { at, close } = scheduleOf(cheap);
  at.ms = 60_000;
  await close();
  expect(at.begun).toBe(0);
});
