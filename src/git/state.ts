import { statSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "./checkout.ts";

/** Whether a rebase (or `git am`) of this working tree has begun and not ended. */
export function isRebaseInProgress(checkout: Pick<Checkout, "gitDir">): boolean {
  return ["rebase-merge", "rebase-apply"].some(
    (name) => statSync(join(checkout.gitDir, name), { throwIfNoEntry: false }) !== undefined,
  );
}
