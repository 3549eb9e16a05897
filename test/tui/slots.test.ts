import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Column, columnNames } from "../../src/tui/columns.ts";
import { slotsFor } from "../../src/tui/view/slots.ts";

const lengths: Partial<Record<Column, number>> = {
  ref: 7,
  subject: 60,
  branch: 20,
  agent: 6,
  repo: 4,
  status: 4,
};
const longest = (column: Column) => lengths[column] ?? 3;
const widths = (columns: number) =>
  Object.fromEntries(slotsFor(columns, columnNames, longest).map(({ column, width }) => [column, width]));

test("with room for all, a column is as wide as what it holds, and its title", () => {
  expect(widths(300)).toMatchObject({
    ref: 7,
    subject: 60,
    branch: 20,
    agent: 6,
    repo: 4,
    status: 6,
    closed: 6,
  });
});

test("where room is short the subject gives way first, then the branch; then columns go, and the status stays longest", () => {
  const all = Object.keys(widths(300)).length;
  const tight = widths(150);
  expect(Object.keys(tight)).toHaveLength(all);
  expect(tight.subject).toBeLessThan(60);
  expect(tight.branch).toBe(20);
  expect(widths(100)).not.toHaveProperty("session_id");
  expect(Object.keys(widths(20))).toEqual(["ref", "status"]);
  expect(Object.keys(widths(10))).toEqual(["status"]);
  expect(widths(3)).toEqual({});
});

test("whatever the columns hold, their sum is never wider than the list, and their order is kept", () => {
  const longestOf = fc.array(fc.nat(200), { minLength: columnNames.length, maxLength: columnNames.length });
  const wanted = fc.shuffledSubarray([...columnNames]);
  fc.assert(
    fc.property(fc.nat(300), wanted, longestOf, (columns, order, all) => {
      const slots = slotsFor(columns, order, (column) => all[columnNames.indexOf(column)] ?? 0);
      expect(slots.reduce((sum, { width }) => sum + width + 2, 0)).toBeLessThanOrEqual(columns);
      const shown = slots.map(({ column }) => column);
      expect(shown).toEqual(order.filter((column) => shown.includes(column)));
    }),
  );
});
