import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/lib/clock.ts";
import type { JobOutcome } from "../../src/review/job-outcome.ts";
import { waitFor } from "../support/wait.ts";
import { engineScene, untilAborted } from "./engine-scene.ts";

const skipped: JobOutcome = { kind: "skipped", reason: "empty diff" };

describe("D06 the engine before a stop", () => {
  test("waits for what runs, begins nothing new, and takes new jobs into the queue", async () => {
    const end = Promise.withResolvers<JobOutcome>();
    await using s = await engineScene(() => end.promise, 1);
    const [running, waiting] = [s.enqueue(), s.enqueue()];
    s.engine.start();
    await waitFor("the claim", () => s.status(running) === "running");
    let isDrained = false;
    const drained = s.engine.drain().then(() => {
      isDrained = true;
    });
    const late = s.enqueue();
    s.engine.wake();
    expect([isDrained, s.engine.isDraining]).toEqual([false, true]);
    end.resolve(skipped);
    await drained;
    expect([running, waiting, late].map(s.status)).toEqual(["skipped", "queued", "queued"]);
  });

  test("a job that was being claimed when it was told to wait is one of those that run", async () => {
    let ended = 0;
    await using s = await engineScene(async () => {
      await Promise.resolve();
      ended++;
      return skipped;
    }, 2);
    const ids = [s.enqueue(), s.enqueue(), s.enqueue()];
    s.engine.start();
    await s.engine.drain();
    const states = ids.map(s.status);
    expect(states.filter((status) => status === "running")).toEqual([]);
    expect(states.filter((status) => status === "skipped")).toHaveLength(ended);
  });

  test("what is canceled while it waits stays canceled", async () => {
    await using s = await engineScene((_, { signal }) => untilAborted(signal), 1);
    const id = s.enqueue();
    s.engine.start();
    await waitFor("the claim", () => s.status(id) === "running");
    const drained = s.engine.drain();
    s.store.jobs.cancel(id);
    s.engine.abort(id);
    await drained;
    expect(s.status(id)).toBe("canceled");
  });

  test("a stop in the middle of waiting puts the running jobs back", async () => {
    await using s = await engineScene((_, { signal }) => untilAborted(signal), 1);
    const id = s.enqueue();
    s.engine.start();
    await waitFor("the claim", () => s.status(id) === "running");
    const drained = s.engine.drain();
    await s.engine.stop();
    await drained;
    expect(s.store.jobs.get(id)).toMatchObject({ status: "queued", retry_count: 0 });
  });

  test("stays told to wait, whoever asks meanwhile whether it is idle", async () => {
    const end = Promise.withResolvers<JobOutcome>();
    await using s = await engineScene(() => end.promise, 2);
    const running = s.enqueue();
    s.engine.start();
    await waitFor("the claim", () => s.status(running) === "running");
    const asked = s.engine.drainIfIdle(); // waits for claims that are on their way
    const drained = s.engine.drain();
    expect([await asked, s.engine.isDraining]).toEqual([1, true]);
    const late = s.enqueue();
    s.engine.wake();
    end.resolve(skipped);
    await drained;
    expect([running, late].map(s.status)).toEqual(["skipped", "queued"]);
  });

  test("is not stopped while something runs, if nothing may be interrupted, and then goes on", async () => {
    const end = Promise.withResolvers<JobOutcome>();
    await using s = await engineScene(() => end.promise, 1);
    const [running, next] = [s.enqueue(), s.enqueue()];
    s.engine.start();
    await waitFor("the claim", () => s.status(running) === "running");
    expect(await s.engine.drainIfIdle()).toBe(1);
    expect(s.engine.isDraining).toBe(false);
    end.resolve(skipped);
    await waitFor("the next", () => s.status(next) === "skipped");
    await waitFor("the workers", () => s.engine.activeWorkers === 0);
    expect(await s.engine.drainIfIdle()).toBe(0);
    const late = s.enqueue();
    s.engine.wake();
    expect([s.engine.isDraining, s.status(late)]).toEqual([true, "queued"]);
  });

  test("goes on when the wait is called off, and a later wait is one of its own", async () => {
    const ends = [Promise.withResolvers<JobOutcome>(), Promise.withResolvers<JobOutcome>()];
    let begun = 0;
    await using s = await engineScene(() => (ends[begun++] as (typeof ends)[0]).promise, 1);
    const [first, second] = [s.enqueue(), s.enqueue()];
    s.engine.start();
    await waitFor("the claim", () => s.status(first) === "running");
    const calledOff = s.engine.drain();
    s.engine.resume();
    expect(s.engine.isDraining).toBe(false);
    ends[0]?.resolve(skipped);
    expect(await calledOff).toBe(false);
    await waitFor("the next", () => s.status(second) === "running");
    const drained = s.engine.drain();
    ends[1]?.resolve(skipped);
    expect(await drained).toBe(true);
  });

  test("a stop in the moment of a claim leaves no job running", async () => {
    await using s = await engineScene((_, { signal }) => untilAborted(signal), 2);
    const ids = [s.enqueue(), s.enqueue()];
    s.engine.start();
    await s.engine.stop();
    expect(ids.map(s.status)).toEqual(["queued", "queued"]);
  });
});

describe("stalled jobs", () => {
  const minute = 60_000;

  test("are those that are beyond their own time-out by more than two minutes", async () => {
    let nowMs = 0;
    const clock = { now: systemClock.now, monotonicMs: () => nowMs };
    let expectWithin = (_: number) => {};
    await using s = await engineScene(
      (_, turn) => {
        expectWithin = turn.expectWithin;
        return untilAborted(turn.signal);
      },
      1,
      { clock },
    );
    const id = s.enqueue();
    s.engine.start();
    await waitFor("the claim", () => s.engine.activeWorkers === 1);
    nowMs = 5 * minute;
    expectWithin(30 * minute);
    nowMs += 32 * minute;
    expect(s.engine.stalled()).toEqual([]);
    nowMs += 1;
    expect(s.engine.stalled()).toEqual([id]);
  });

  test("are also those that never got as far as their reviewer", async () => {
    let nowMs = 0;
    const clock = { now: systemClock.now, monotonicMs: () => nowMs };
    await using s = await engineScene((_, { signal }) => untilAborted(signal), 1, { clock });
    const id = s.enqueue();
    s.engine.start();
    await waitFor("the claim", () => s.engine.activeWorkers === 1);
    nowMs = 13 * minute;
    expect(s.engine.stalled()).toEqual([id]);
  });
});
