import { expect, test } from "bun:test";
import fc from "fast-check";
import { packBatches } from "../../../src/review/fix/batches.ts";

const sum = (batch: readonly number[]) => batch.reduce((total, size) => total + size, 0);

test("C07 batches are full, in order, within the limits; one oversize entry goes alone", () => {
  const fits = (batch: readonly number[]) => sum(batch) <= 10;
  expect(packBatches([4, 4, 4, 20, 1, 1], { fits })).toEqual([[4, 4], [4], [20], [1, 1]]);
  expect(packBatches([1, 1, 1, 1, 1], { fits, maxEntries: 2 })).toEqual([[1, 1], [1, 1], [1]]);
  expect(packBatches([], { fits })).toEqual([]);
});

test("C07 whatever the sizes: nothing is lost or reordered, no batch breaks a limit, and none could take the next", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 6 }), (entries, maxEntries) => {
      const fits = (batch: readonly number[]) => sum(batch) <= 20;
      const batches = packBatches(entries, { fits, maxEntries });
      expect(batches.flat()).toEqual(entries);
      for (const [index, batch] of batches.entries()) {
        expect(batch.length <= maxEntries && (fits(batch) || batch.length === 1)).toBe(true);
        const next = batches[index + 1]?.[0];
        if (next !== undefined) expect(batch.length < maxEntries && fits([...batch, next])).toBe(false);
      }
    }),
  );
});
