/**
 * Puts entries into batches in their order, each as full as it goes. One that does not even fit alone is a batch of
 * its own.
 */
export function packBatches<Entry>(
  entries: readonly Entry[],
  limits: { fits(batch: readonly Entry[]): boolean; maxEntries?: number },
): Entry[][] {
  const { fits, maxEntries = Number.POSITIVE_INFINITY } = limits;
  const batches: Entry[][] = [];
  for (const entry of entries) {
    const last = batches.at(-1);
    if (last !== undefined && last.length < maxEntries && fits([...last, entry])) last.push(entry);
    else batches.push([entry]);
  }
  return batches;
}
