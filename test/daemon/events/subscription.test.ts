import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DaemonEvent, DroppedMarker } from "../../../src/daemon/api/event.ts";
import { EventHub } from "../../../src/daemon/events/hub.ts";
import type { Taken } from "../../../src/daemon/events/subscription.ts";
import { waitFor } from "../../support/wait.ts";

const event = (job_id: number, more: object = {}): DaemonEvent => ({
  type: "job.enqueued",
  ts: "2026-01-01T00:00:00.000Z",
  job_id,
  job_uuid: `u-${job_id}`,
  repo: "/shop",
  repo_name: "shop",
  sha: "a".repeat(40),
  agent: "test",
  ...more,
});

const hub = () =>
  new EventHub((error) => {
    throw error;
  });

/** Ids of the events and, negative, counts of dropped ones. */
function ids(taken: Taken): number[] {
  if (typeof taken === "string") return [];
  return taken.map(({ json }) => {
    const value = JSON.parse(json) as { job_id: number } | DroppedMarker;
    return "count" in value ? -value.count : value.job_id;
  });
}

describe("D08 a subscriber", () => {
  test("gets what is published after it came, in order, all at once", async () => {
    const events = hub();
    events.publish(event(1));
    const subscription = events.subscribe();
    for (const id of [2, 3, 4]) events.publish(event(id));
    expect(ids(await subscription.take(1000))).toEqual([2, 3, 4]);
    const next = subscription.take(1000);
    events.publish(event(5));
    expect(ids(await next)).toEqual([5]);
    expect(await subscription.take(1)).toBe("nothing");
  });

  test("with a repository gets that one's events, and those that concern no repository", async () => {
    const events = hub();
    const subscription = events.subscribe({ repo: "/shop" });
    events.publish(event(1, { repo: "/other" }));
    events.publish(event(2));
    events.publish(event(3, { repo: "/shop/sub" }));
    events.publish({ type: "config.reloaded", ts: "2026-01-01T00:00:00.000Z" });
    const taken = await subscription.take(1000);
    expect(typeof taken === "string" ? [] : taken.map(({ type }) => type)).toEqual([
      "job.enqueued",
      "config.reloaded",
    ]);
    expect(ids(taken)[0]).toBe(2);
  });

  test("that is slow never blocks: beyond its bounds events are counted, and the count stands where they are missing", async () => {
    const events = hub();
    const slow = events.subscribe({ maxEvents: 3 });
    const quick = events.subscribe();
    for (let id = 1; id <= 10; id++) events.publish(event(id));
    expect(ids(await quick.take(0))).toHaveLength(10);
    expect(ids(await slow.take(0))).toEqual([1, 2, 3, -7]);
    events.publish(event(11));
    expect(ids(await slow.take(0))).toEqual([11]);
  });

  test("holds no more than its share of text, but always one event, however long that is", async () => {
    const events = hub();
    const long = { findings: "x".repeat(5000) };
    const subscription = events.subscribe({ maxChars: 12_000 });
    for (let id = 1; id <= 5; id++) events.publish(event(id, long));
    expect(ids(await subscription.take(0))).toEqual([1, 2, -3]);
    events.publish(event(6, { findings: "x".repeat(50_000) }));
    events.publish(event(7));
    expect(ids(await subscription.take(0))).toEqual([6, -1]);
  });

  test("whatever the order of publishing and reading: nothing is lost without being counted, or out of order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(6), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (bursts, maxEvents) => {
          const events = hub();
          const subscription = events.subscribe({ maxEvents });
          const seen: number[] = [];
          let published = 0;
          for (const burst of bursts) {
            for (let n = 0; n < burst; n++) events.publish(event(++published));
            seen.push(...ids(await subscription.take(0)));
          }
          let next = 1;
          for (const id of seen) {
            if (id > 0) expect(id).toBe(next);
            next += id > 0 ? 1 : -id;
          }
          expect(next).toBe(published + 1);
        },
      ),
    );
  });

  test("that leaves is forgotten, and its reader is told", async () => {
    const events = hub();
    const subscription = events.subscribe();
    const waiting = subscription.take(60_000);
    expect(events.subscribers).toBe(1);
    subscription.close();
    subscription.close();
    expect(await waiting).toBe("closed");
    expect(events.subscribers).toBe(0);
    events.publish(event(1));
    expect(await subscription.take(0)).toBe("closed");
  });
});

describe("the hub", () => {
  test("D08 serves 200 subscribers, half of which never read, and none of them waits for another", async () => {
    const events = hub();
    const all = Array.from({ length: 200 }, () => events.subscribe());
    const got = all.slice(0, 100).map(() => 0);
    const readers = got.map(async (_, index) => {
      for (;;) {
        const taken = await all[index]?.take(60_000);
        if (typeof taken !== "object") return;
        got[index] = (got[index] ?? 0) + taken.length;
      }
    });
    for (let id = 1; id <= 1000; id++) {
      events.publish(event(id));
      if (id % 100 === 0) await Promise.resolve().then(() => undefined);
    }
    await waitFor("the readers", () => got.every((count) => count > 0));
    expect(ids((await all[199]?.take(0)) ?? "closed")).toHaveLength(257);
    events.close();
    await Promise.all(readers);
    expect(events.subscribers).toBe(0);
  });

  test("a listener that throws keeps nobody from an event, and is reported", async () => {
    const errors: unknown[] = [];
    const events = new EventHub((error) => errors.push(error));
    const seen: number[] = [];
    events.listen(() => {
      throw new Error("out of order");
    });
    events.listen(({ event }) => "job_id" in event && seen.push(event.job_id));
    const subscription = events.subscribe();
    events.publish(event(1));
    expect([seen, ids(await subscription.take(0)), errors]).toEqual([[1], [1], [new Error("out of order")]]);
  });

  test("once closed ends every reader after what it still had, and takes no new ones", async () => {
    const events = hub();
    const subscription = events.subscribe();
    events.publish(event(1));
    events.close();
    expect(ids(await subscription.take(0))).toEqual([1]);
    expect(await subscription.take(0)).toBe("closed");
    expect(await events.subscribe().take(60_000)).toBe("closed");
  });
});
