import { gitFields } from "./exec.ts";

/** How the commit that HEAD names got there. */
export interface HeadOrigin {
  sha: string;
  /** By a command that runs the post-commit hook, here; not by a pull, a checkout or a reset. */
  isCommitted: boolean;
  committedMs: number;
  parents: number;
}

/** What the newest line of HEAD's reflog says; undefined without a reflog. */
export async function headOrigin(cwd: string): Promise<HeadOrigin | undefined> {
  const format = "--format=%H%x00%gs%x00%ct%x00%P%x00";
  const args = ["log", "--walk-reflogs", "-1", "--no-patch", "--no-color", format, "HEAD", "--"];
  const [sha = "", action = "", committed = "", parents = ""] = await gitFields(args, { cwd });
  if (sha === "") return undefined;
  return {
    sha,
    isCommitted: /^(?:commit|cherry-pick|revert)\b/.test(action),
    committedMs: Number(committed) * 1000,
    parents: parents.split(" ").filter(Boolean).length,
  };
}
