import { basename } from "node:path";
import { quotedLabel, singleLine } from "../../lib/text.ts";
import { clipped } from "./session-name.ts";

/** Where a key of the reminder state counts, for a person: `on "main" of /src/app`. Its form is told in reminder/lineage.ts. */
export function placeName(key: string): string {
  const [root = "", kind = "", worktree, head = ""] = key.split("\0");
  if (kind === "") return `in ${singleLine(root)}`;
  // With nothing behind it, it is the name of a branch, whatever that is called.
  if (worktree === undefined)
    return `on ${quotedLabel(kind) || "a branch that cannot be shown"} of ${singleLine(root)}`;
  if (kind === "worktree") return `in ${singleLine(worktree)}`;
  return `on a detached HEAD from ${singleLine(head).slice(0, 7)} in ${singleLine(worktree)}`;
}

/** A working tree and its branch in few words; the whole path stands in `--json`. */
export function checkoutName(worktree: string, branch: string | undefined): string {
  const directory = clipped(singleLine(basename(worktree)), 24) || "/";
  return branch === undefined
    ? `${directory} (detached)`
    : `${directory} ${quotedLabel(clipped(branch, 32))}`;
}
