/** Times of one thing, in milliseconds. */
export interface Summary {
  min: number;
  median: number;
  p99: number;
}

export function summarize(times: number[]): Summary {
  const sorted = times.toSorted((a, b) => a - b);
  return { min: sorted[0] ?? 0, median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

export const median = (values: number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

const quantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
