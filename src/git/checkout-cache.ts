import type { Checkout } from "./checkout.ts";
import { readCheckout } from "./head-reader.ts";
import { Trail } from "./trail.ts";

const maxEntries = 512;

/** As `readCheckout`; a checkout whose files are all as they were is answered from memory, as the same object. */
export type CachedReader = (directory: string) => Checkout | "ask-git" | undefined;

const remembered = new WeakSet<object>();

/** Whether it is the same object as long as its repository's configuration is the same. */
export const isRemembered = (checkout: object): boolean => remembered.has(checkout);

/** A reader that remembers the checkout of each directory it was asked for. */
export function createCheckoutReader(nowMs: () => number = Date.now): CachedReader {
  const entries = new Map<string, { checkout: Checkout; trail: Trail }>();
  return (directory) => {
    const known = entries.get(directory);
    if (known !== undefined) {
      if (known.trail.isUnchanged()) return known.checkout;
      entries.delete(directory);
    }
    const trail = new Trail(nowMs);
    const checkout = readCheckout(directory, trail);
    if (typeof checkout !== "object" || !trail.isProvable) return checkout;
    if (entries.size >= maxEntries) entries.delete(entries.keys().next().value as string);
    entries.set(directory, { checkout: Object.freeze(checkout), trail });
    remembered.add(checkout);
    return checkout;
  };
}
