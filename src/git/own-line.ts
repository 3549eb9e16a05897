import { decode, gitError, runGit } from "./exec.ts";
import { findDefaultBranch } from "./lineage.ts";
import { safeRevision } from "./revision.ts";

/**
 * The commits that a detached HEAD has for itself: from it back to the first that a branch has, that one included.
 * Local branches count, and the default one wherever it is.
 */
export async function ownLine(cwd: string, head: string): Promise<Set<string>> {
  const trunk = await findDefaultBranch(cwd);
  const args = ["rev-list", "--boundary", safeRevision(head), "--not", "--branches"];
  if (trunk !== undefined) args.push(trunk.ref);
  const result = await runGit([...args, "--"], { cwd });
  if (result.exitCode !== 0 || result.truncated) throw gitError(args, cwd, result);
  const lines = decode(result.stdout).split("\n");
  return new Set([head, ...lines.map((line) => line.replace(/^-/, "")).filter((sha) => sha !== "")]);
}
