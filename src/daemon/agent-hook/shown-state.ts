import type { HookState } from "../../reminder/state.ts";
import { showState } from "../../store/hook-state/snapshot.ts";
import type { HookStateResponse } from "../api/responses.ts";

/** The state as it is stored, and of each fix session's reviews those that are still open: without any it is over. */
export async function shownState(
  state: Readonly<HookState>,
  settledOf: (ids: number[]) => Promise<number[]>,
): Promise<HookStateResponse> {
  const stored = showState(state) as unknown as HookStateResponse;
  const fixes = Object.entries(stored.fix_sessions ?? {});
  if (fixes.length === 0) return stored;
  const settled = new Set(await settledOf([...new Set(fixes.flatMap(([, { review_ids }]) => review_ids))]));
  const shown = fixes.map(([key, fix]) => [
    key,
    // Another release did not store which reviews it is about.
    fix.review_ids.length === 0
      ? fix
      : { ...fix, open_review_ids: fix.review_ids.filter((id) => !settled.has(id)) },
  ]);
  return { ...stored, fix_sessions: Object.fromEntries(shown) };
}
