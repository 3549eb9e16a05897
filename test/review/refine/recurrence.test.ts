import { expect, test } from "bun:test";
import { isSameFinding, RecurrenceWatch } from "../../../src/review/refine/recurrence.ts";
import type { ReviewFinding } from "../../../src/store/schema.ts";

const finding = (problem: string, location?: string): ReviewFinding => ({
  ...{ number: 1, severity: "high", problem },
  ...(location === undefined ? {} : { location }),
});

test("findings are the same when file and most words are; lines, quotes and case may differ", () => {
  const first = finding("An empty cart divides by zero in line 12.", "src/cart.ts:12");
  for (const other of [
    finding("An empty cart divides by zero in line 40", "./src/cart.ts:40-44"),
    finding("an EMPTY cart now divides by zero, in line 3", "`src/cart.ts#L3`"),
    finding("An empty cart divides by zero", "src/Cart.ts, line 3"),
  ]) {
    expect(isSameFinding(first, other)).toBe(true);
  }
  for (const other of [
    finding("An empty cart divides by zero in line 12.", "src/tax.ts:12"),
    finding("An empty cart divides by zero in line 12."),
    finding("The tax is rounded twice", "src/cart.ts:12"),
    finding("", "src/cart.ts:12"),
  ]) {
    expect(isSameFinding(first, other)).toBe(false);
  }
});

test("what comes back twice after it was addressed is a recurrence; reviews of what was there before are none", () => {
  const watch = new RecurrenceWatch();
  const zero = [finding("divides by zero", "cart.ts:1")];
  expect(watch.raise({ jobId: 1, findings: zero, seen: 0 })).toBeUndefined();
  watch.address({ jobId: 1, findings: zero, at: 2 });
  // Of commits before the one that mended it.
  for (const jobId of [2, 3, 4]) {
    expect(watch.raise({ jobId, findings: zero, seen: 1 })).toBeUndefined();
    watch.address({ jobId, findings: zero, at: 2 });
  }
  expect(watch.raise({ jobId: 5, findings: zero, seen: 2 })).toBeUndefined();
  // The same review, once more, because the agent failed.
  expect(watch.raise({ jobId: 5, findings: zero, seen: 2 })).toBeUndefined();
  watch.address({ jobId: 5, findings: zero, at: 3 });
  expect(
    watch.raise({ jobId: 6, findings: [finding("another thing", "cart.ts:1")], seen: 3 }),
  ).toBeUndefined();
  const moved = [finding("divides by zero", "cart.ts:30")];
  expect(watch.raise({ jobId: 7, findings: moved, seen: 3 })).toEqual({
    finding: moved[0] as ReviewFinding,
    jobs: [1, 5, 7],
  });
});
