import type { Checkout } from "../checkout.ts";
import { runGit } from "../exec.ts";
import { type HooksDirectory, isInside, realTarget } from "./directory.ts";
import type { HookName } from "./script.ts";

interface Place {
  checkout: Checkout;
  directory: HooksDirectory;
  hook: HookName;
  path: string;
  mode: number | undefined;
}

/** What the user should know about where a hook lies, none of which keeps it from being installed. */
export async function placeWarnings({ checkout, directory, hook, path, mode }: Place): Promise<string[]> {
  const warnings: string[] = [];
  if (mode !== undefined && (mode & 0o111) === 0) {
    warnings.push(`${path} is not executable, so git ignores it: chmod +x it if you want it to run`);
  }
  const isShared = directory.scope === "global" || directory.scope === "system";
  if (isShared && hook === "post-commit") {
    const where = `core.hooksPath of your ${directory.scope} configuration names ${directory.path}`;
    warnings.push(
      `${where}, so it serves all your repositories: from now on every one without a core.hooksPath of its own is reviewed, and its commits are sent to the reviewer's model`,
    );
  }
  const real = await realTarget(path);
  const root = [checkout.worktreeRoot, checkout.mainRoot].find((candidate) => isInside(real, candidate));
  if (root === undefined || isInside(real, checkout.commonDir)) return warnings;
  if (await saysYes(root, ["--literal-pathspecs", "ls-files", "--error-unmatch", "--", real])) {
    warnings.push(
      `${path} is tracked by git: the change shows in git status, and others get it once committed`,
    );
  } else if (await saysYes(root, ["check-ignore", "--quiet", "--", real])) {
    warnings.push(
      `${path} is an ignored file, most likely of a hook manager, which may write it anew without ours`,
    );
  } else {
    warnings.push(`${path} lies in the work tree: it shows in git status as untracked`);
  }
  return warnings;
}

const saysYes = async (cwd: string, args: string[]) => (await runGit(args, { cwd })).exitCode === 0;
