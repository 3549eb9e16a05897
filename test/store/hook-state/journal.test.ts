import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  applyBatch,
  batchLine,
  continuationOf,
  generationLine,
  type JournalBatch,
} from "../../../src/store/hook-state/journal.ts";
import { batches, emptyState, textOf } from "./arbitrary-state.ts";

const bytesOf = (...lines: string[]) => Buffer.from(lines.join(""));

function stateAfter(all: JournalBatch[]): string {
  const state = emptyState();
  for (const batch of all) applyBatch(state, batch);
  return textOf(state);
}

describe("journal", () => {
  test("any batches, written and read, leave the same state", () => {
    fc.assert(
      fc.property(fc.array(batches, { maxLength: 6 }), (all) => {
        const journal = bytesOf(generationLine("g"), ...all.map(batchLine));
        expect(stateAfter(continuationOf("g", journal).batches)).toBe(stateAfter(all));
      }),
      { numRuns: 300 },
    );
  });

  test("cut off at any byte, it still gives every batch whose line is whole, and no other", () => {
    fc.assert(
      fc.property(fc.array(batches, { minLength: 1, maxLength: 3 }), (all) => {
        const lines = [generationLine("g"), ...all.map(batchLine)];
        const journal = bytesOf(...lines);
        const ends = lines.map((_, index) => bytesOf(...lines.slice(0, index + 1)).length);
        for (let length = 0; length <= journal.length; length++) {
          const whole = ends.filter((end) => end <= length).length;
          const { batches: kept, damagedAt } = continuationOf("g", journal.subarray(0, length));
          expect([kept.length, damagedAt]).toEqual([Math.max(0, whole - 1), undefined]);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("a damaged line hides what stands below it", () => {
    const [first, second] = [batchLine({ sessions: { a: { count: 1 } } }), batchLine({})];
    const journal = bytesOf(generationLine("g"), first, first.replace("1}", "7}"), second);
    expect(continuationOf("g", journal)).toEqual({
      batches: [{ sessions: { a: { count: 1 } } }],
      damagedAt: bytesOf(generationLine("g"), first).length,
    });
  });

  test("a byte changed anywhere is told, unless it is in the last line, as if a crash had torn that", () => {
    const lines = [
      generationLine("g"),
      ...[1, 2, 3].map((count) => batchLine({ sessions: { a: { count } } })),
    ];
    const starts = lines.map((_, index) => bytesOf(...lines.slice(0, index)).length);
    const whole = bytesOf(...lines);
    for (let at = 0; at < whole.length; at++) {
      const journal = Buffer.from(whole);
      journal[at] = (journal[at] as number) ^ 1;
      const line = starts.findLastIndex((start) => start <= at);
      // Without its own end a line swallows the next one.
      const isLast = line === 3 || (line === 2 && at === (starts[3] as number) - 1);
      const { batches: kept, damagedAt } = continuationOf("g", journal);
      expect([at, damagedAt]).toEqual([at, isLast ? undefined : starts[line]]);
      expect(kept).toHaveLength(Math.max(0, line - 1));
    }
  });

  test("below the name of a newer snapshot stands what that does not hold; an older one gets all", () => {
    const one = { sessions: { a: { count: 1 } } };
    const two = { sessions: { a: { count: 2 } } };
    const journal = bytesOf(
      generationLine("old"),
      batchLine(one),
      generationLine("given up"),
      generationLine("new"),
      batchLine(two),
    );
    expect(continuationOf("old", journal)).toEqual({ batches: [one, two] });
    expect(continuationOf("new", journal)).toEqual({ batches: [two] });
    expect(continuationOf("another", journal)).toEqual({ batches: [] });
  });

  test("83 a journal of the release before, which knew only sessions, is read", () => {
    const journal = bytesOf(
      '84ebe2b6 {"generation":"11111111-2222-4333-8444-555555555555"}\n',
      '61885e2e {"sessions":{"claude:a":{"count":1},"claude:b":null}}\n',
    );
    const { batches: read } = continuationOf("11111111-2222-4333-8444-555555555555", journal);
    expect(read).toEqual([{ sessions: { "claude:a": { count: 1 }, "claude:b": null } }]);
    const state = emptyState();
    state.sessions.set("claude:b", { count: 9 });
    for (const batch of read) applyBatch(state, batch);
    expect([...state.sessions]).toEqual([["claude:a", { count: 1 }]]);
  });
});
