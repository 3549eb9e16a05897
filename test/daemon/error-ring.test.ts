import { expect, test } from "bun:test";
import { ErrorRing } from "../../src/daemon/error-ring.ts";
import type { Clock } from "../../src/lib/clock.ts";

test("keeps the newest errors of a day, and the same error once, as the newest", () => {
  let hour = 0;
  const clock: Clock = { now: () => new Date(hour * 3_600_000), monotonicMs: () => 0 };
  const ring = new ErrorRing(clock, 3);
  const messages = () => ring.recent().map((error) => error.message);
  ring.add("hook", new Error("unreadable"));
  hour = 1;
  ring.add("job", new Error("timeout"), 7);
  for (hour = 2; hour < 10; hour++) ring.add("hook", new Error("unreadable"));
  expect(messages()).toEqual(["unreadable", "timeout"]);
  ring.add("job", new Error("timeout"), 8);
  ring.add("job", new Error("quota"), 8);
  expect(messages()).toEqual(["quota", "timeout", "unreadable"]);
  hour = 33.5;
  expect(messages()).toEqual(["quota", "timeout"]);
});

test("counts every error of a day, those too that are kept no more or came again", () => {
  let minute = 0;
  const clock: Clock = { now: () => new Date(minute * 60_000), monotonicMs: () => 0 };
  const ring = new ErrorRing(clock, 2);
  expect(ring.count()).toBe(0);
  for (; minute < 100; minute++) ring.add("hook", new Error("unreadable"));
  for (const text of ["a", "b", "c"]) ring.add("job", new Error(text));
  expect([ring.count(), ring.recent().length]).toEqual([103, 2]);
  minute = 24 * 60 + 50;
  expect(ring.count()).toBe(53);
  minute = 3 * 24 * 60;
  expect(ring.count()).toBe(0);
});
