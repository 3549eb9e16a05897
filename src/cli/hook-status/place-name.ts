import { basename } from "node:path";
import { quotedLabel, singleLine } from "../../lib/text.ts";

/** Where a key of the reminder state counts, for a person: `"main" of /src/app`. Its form is told in reminder/lineage.ts. */
export function placeName(key: string): string {
  const [root = "", kind = "", ...rest] = key.split("\0");
  if (kind === "") return singleLine(root);
  if (kind === "worktree") return singleLine(rest[0] ?? root);
  if (kind === "detached" || kind === "lineage") {
    const [worktree = root, head = ""] = rest;
    return `detached ${singleLine(head).slice(0, 7)} in ${singleLine(worktree)}`;
  }
  return `${quotedLabel(kind) || "a branch"} of ${singleLine(root)}`;
}

/** A working tree and its branch in few words; the whole path stands in `--json`. */
export function checkoutName(worktree: string, branch: string | undefined): string {
  const directory = singleLine(basename(worktree)) || "/";
  return branch === undefined ? `${directory} (detached)` : `${directory} ${quotedLabel(branch)}`;
}
