import { gitText } from "./exec.ts";

/** A working tree of a repository, and the branch that is checked out there; empty for none. */
export interface BranchWorktree {
  path: string;
  branch: string;
}

/** The working trees of a repository, the main one first. */
export async function branchWorktrees(mainRoot: string): Promise<BranchWorktree[]> {
  return parseWorktrees(await gitText(["worktree", "list", "--porcelain"], { cwd: mainRoot }));
}

/** The records of `git worktree list --porcelain` that have a working tree. */
export function parseWorktrees(text: string): BranchWorktree[] {
  return text.split("\n\n").flatMap((record) => {
    const lines = record.split("\n");
    const value = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
    const path = value("worktree");
    if (path === undefined || lines.includes("bare")) return [];
    return [{ path, branch: (value("branch") ?? "").replace(/^refs\/heads\//, "") }];
  });
}
