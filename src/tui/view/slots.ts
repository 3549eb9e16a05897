import { type Column, columnTitles } from "../columns.ts";

export interface Slot {
  column: Column;
  width: number;
}

/** No column is wider than this, whatever it holds. */
const most: Record<Column, number> = {
  ref: 24,
  subject: 72,
  branch: 32,
  repo: 24,
  agent: 12,
  queued: 12,
  elapsed: 8,
  status: 20,
  pf: 3,
  closed: 6,
  cost: 8,
  session_id: 12,
  requested_model: 20,
};

/** Columns that may be cut where there is no room for all, and to what; the first gives way first. */
const yielding: readonly [Column, number][] = [
  ["subject", 16],
  ["branch", 8],
  ["repo", 8],
  ["ref", 10],
  ["status", 9],
];

/** Left out one after the other where the screen is too narrow even so. */
const dispensable: readonly Column[] = [
  "session_id",
  "requested_model",
  "cost",
  "queued",
  "elapsed",
  "agent",
  "subject",
  "branch",
  "closed",
  "repo",
  "pf",
  "ref",
  "status",
];

const gap = 2;

/**
 * The columns that fit, in the given order, each as wide as what it holds (`longest`, in cells) as long as there is
 * room. `columns` is the width of the list without the number of the job.
 */
export function slotsFor(
  columns: number,
  wanted: readonly Column[],
  longest: (column: Column) => number,
): Slot[] {
  const natural = new Map(
    wanted.map((name) => [name, Math.min(most[name], Math.max(longest(name), columnTitles[name].length))]),
  );
  const least = new Map(natural);
  for (const [name, width] of yielding) {
    const has = least.get(name);
    if (has !== undefined) least.set(name, Math.min(has, width));
  }
  const needed = (widths: Map<Column, number>) =>
    [...widths.values()].reduce((sum, width) => sum + width + gap, 0);
  for (const name of dispensable) {
    if (needed(least) <= columns) break;
    least.delete(name);
    natural.delete(name);
  }
  for (const [name] of yielding) {
    const over = needed(natural) - columns;
    if (over <= 0) break;
    const width = natural.get(name);
    if (width !== undefined) natural.set(name, Math.max(least.get(name) ?? 0, width - over));
  }
  return [...natural].map(([column, width]) => ({ column, width }));
}
