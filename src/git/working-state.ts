import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type Checkout, resolveCheckout } from "./checkout.ts";
import { gitFields } from "./exec.ts";
import { withoutLocalDrivers } from "./local-drivers.ts";
import { stampOf } from "./small-file.ts";

/** A working tree at one moment: where HEAD is, and what no commit holds. */
export interface WorkingState {
  /** Absent on a branch without commits. */
  head?: string;
  /** Empty when HEAD is detached. */
  branch: string;
  /** Tracked paths that differ from HEAD, staged or not. */
  modified: string[];
  /** Paths that git neither tracks nor ignores, each with a stamp that changes with its content. */
  untracked: ReadonlyMap<string, string>;
}

const timeoutMs = 120_000;
const flags = ["--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];

/** The state of a working tree now. Runs nothing that the repository configures. */
export async function workingState({ worktreeRoot }: Pick<Checkout, "worktreeRoot">): Promise<WorkingState> {
  const cwd = worktreeRoot;
  const fields = await gitFields([...(await withoutLocalDrivers(cwd)), "status", ...flags], {
    cwd,
    timeoutMs,
  });
  const checkout = await resolveCheckout(cwd);
  const paths = statusPaths(fields);
  return {
    ...(checkout?.head === undefined ? {} : { head: checkout.head }),
    branch: checkout?.branch ?? "",
    modified: paths.modified,
    untracked: new Map(
      await Promise.all(paths.untracked.map(async (path) => [path, await stamp(join(cwd, path))] as const)),
    ),
  };
}

/** Fields before the path in an entry of each kind: https://git-scm.com/docs/git-status#_changed_tracked_entries */
const fieldsBefore: Record<string, number> = { "1": 8, "2": 9, u: 10 };

/** The paths of `git status --porcelain=v2 -z`. */
export function statusPaths(fields: string[]): { modified: string[]; untracked: string[] } {
  const modified: string[] = [];
  const untracked: string[] = [];
  for (let at = 0; at < fields.length; at++) {
    const entry = fields[at] as string;
    const kind = entry[0] as string;
    if (kind === "?") untracked.push(entry.slice(2));
    const before = fieldsBefore[kind];
    if (before === undefined) continue;
    modified.push(entry.split(" ").slice(before).join(" "));
    if (kind === "2") at++; // where it was before the rename
  }
  return { modified, untracked };
}

const stamp = async (path: string): Promise<string> => stampOf(await lstat(path).catch(() => undefined)); // gone since
