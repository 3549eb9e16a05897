import { commitInfo, emptyTree } from "./commit.ts";
import { runGitChecked } from "./exec.ts";

const timeoutMs = 120_000;

/**
 * A name for what a commit changes, the same for another commit that makes the same change elsewhere (rebase, amended
 * message). Undefined for a commit that changes nothing.
 */
export async function patchId(cwd: string, sha: string): Promise<string | undefined> {
  const { sha: full, parents } = await commitInfo(cwd, sha);
  const base = parents[0] ?? (await emptyTree(cwd));
  const flags = ["--patch", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color"];
  const patch = await runGitChecked(["diff-tree", "-r", ...flags, base, full, "--"], { cwd, timeoutMs });
  if (patch.stdout.length === 0) return undefined;
  const named = await runGitChecked(["patch-id", "--stable"], { cwd, timeoutMs, stdin: patch.stdout });
  return new TextDecoder().decode(named.stdout).split(/\s/, 1)[0] || undefined;
}
