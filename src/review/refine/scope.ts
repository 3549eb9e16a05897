import type { Checkout } from "../../git/checkout.ts";
import { branchRange, sinceRange } from "../../git/range.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { quotedLabel } from "../../lib/text.ts";
import type { RefineScope } from "./services.ts";

/**
 * Which commits of a checkout are refined: those since its branch left its base, or since the commit that was named;
 * undefined without any. Throws on the base branch, and for a commit that is no ancestor.
 */
export async function refineScope(
  checkout: Checkout,
  since: string | undefined,
): Promise<RefineScope | undefined> {
  try {
    const { base } =
      since === undefined ? await branchRange(checkout) : await sinceRange(checkout.worktreeRoot, since);
    return { base, branch: checkout.branch };
  } catch (error) {
    if (errorCode(error) === "E_NO_COMMITS") return undefined;
    throw withOwnHint(error, checkout);
  }
}

const ownHints: Record<string, string> = {
  E_ON_BASE: "Switch to a feature branch, or name the commit to begin after: roborev refine --since COMMIT",
  E_NO_BASE: "Name the commit to begin after: roborev refine --since COMMIT",
  E_NO_MERGE_BASE: "Name the commit to begin after: roborev refine --since COMMIT",
  E_RANGE: "Name a commit that this branch contains: git log --oneline",
};

function withOwnHint(error: unknown, { branch }: Checkout): unknown {
  if (!(error instanceof RoborevError)) return error;
  const hint = ownHints[error.code];
  if (hint === undefined) return error;
  const message =
    error.code === "E_ON_BASE" && branch !== ""
      ? `${quotedLabel(branch)} is the base branch: there is nothing to compare it with`
      : error.message;
  return new RoborevError(message, { code: error.code, hint, cause: error });
}
