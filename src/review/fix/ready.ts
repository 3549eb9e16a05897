import type { Checkout } from "../../git/checkout.ts";
import { operationInProgress } from "../../git/state.ts";
import { type WorkingState, workingState } from "../../git/working-state.ts";
import { RoborevError } from "../../lib/errors.ts";
import { plural, singleLine } from "../../lib/text.ts";

/** The state of a working tree in which an agent may edit and commit; throws where it must not, and says why. */
export async function requireReady(checkout: Checkout): Promise<WorkingState & { head: string }> {
  const operation = operationInProgress(checkout);
  if (operation !== undefined) {
    throw new RoborevError(`a ${operation} is in progress in ${singleLine(checkout.worktreeRoot)}`, {
      code: "E_IN_PROGRESS",
      hint: "Finish or abort it first: git status says how.",
    });
  }
  const state = await workingState(checkout);
  const { head, modified } = state;
  if (head === undefined) {
    throw new RoborevError("this branch has no commit yet", {
      code: "E_NO_COMMIT",
      hint: "Commit something first.",
    });
  }
  if (modified.length > 0) {
    const named = modified.slice(0, 3).map(singleLine).join(", ");
    throw new RoborevError(
      `${plural(modified.length, "tracked file has", "tracked files have")} uncommitted changes: ${named}${modified.length > 3 ? ", …" : ""}`,
      {
        code: "E_TREE_DIRTY",
        hint: "They would get mixed up with what the agent changes. Commit them, or put them aside with: git stash",
      },
    );
  }
  return { ...state, head };
}
