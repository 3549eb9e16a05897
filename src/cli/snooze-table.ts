import { localTimeWithZone } from "../lib/local-time.ts";
import { singleLine } from "../lib/text.ts";
import type { ActiveSnooze } from "../store/schema.ts";
import { tableLines } from "./table.ts";

/** Where reminders are muted, and until when in local time. */
export function snoozeTable(snoozes: readonly ActiveSnooze[]): string[] {
  const rows = snoozes.map(({ repo_name, worktree_path, branch, snoozed_until }) => [
    repo_name,
    worktree_path,
    branch === "" ? "detached HEAD" : singleLine(branch) || "a name that cannot be shown",
    localTimeWithZone(snoozed_until),
  ]);
  return tableLines(["Repo", "Worktree", "Branch", "Until"], rows);
}
