import { errorCode } from "../../lib/errors.ts";
import type { Services } from "../services.ts";
import type { Act } from "./service.ts";

/**
 * Tells the reminder feature that somebody works on reviews, which shows that a reminder arrived. What was asked of the
 * daemon is done already: a failure here is the daemon's to note, not the caller's.
 */
export async function reportAct(
  { hooks, errors }: Pick<Services, "hooks" | "errors">,
  act: Pick<Act, "by" | "reviewIds"> & { worktree: string | undefined },
): Promise<void> {
  const { worktree } = act;
  if (worktree === undefined) return;
  try {
    await hooks().acted({ ...act, worktree });
  } catch (error) {
    // The unreadable hook state stands in `health`.
    if (errorCode(error) !== "E_HOOK_STATE") errors.add("agent_hook", error);
  }
}
