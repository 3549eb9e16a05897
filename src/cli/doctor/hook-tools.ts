import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readBoundedFile } from "../../fs/bounded-file.ts";
import type { Checkout } from "../../git/checkout.ts";
import { isInside } from "../../git/hooks/directory.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";

/** A program of the repository that writes its git hooks, and may write them anew at any time. */
export interface HookTool {
  name: "husky" | "lefthook" | "pre-commit";
  /** Where its hooks are configured. */
  file: string;
  /** That file runs roborev by itself. */
  runsUs: boolean;
}

const maxBytes = 1024 * 1024;

/** The hook tools that a working tree is set up for. Reads, and runs nothing of the repository. */
export async function findHookTools(checkout: Checkout, hooksPath: string): Promise<HookTool[]> {
  const { worktreeRoot } = checkout;
  const names = await readdir(worktreeRoot);
  const tools: HookTool[] = [];
  const husky = join(worktreeRoot, ".husky");
  if (hooksPath === husky || (isInside(hooksPath, husky) && existsSync(husky))) {
    const file = join(husky, "post-commit");
    tools.push({ name: "husky", file, runsUs: await mentionsUs(file) });
  }
  const lefthook = names.find((name) => /^\.?lefthook\.(?:ya?ml|toml|json)$/.test(name));
  if (lefthook !== undefined) {
    const files = names.filter((name) => /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/.test(name));
    const found = await Promise.all(files.map((name) => mentionsUs(join(worktreeRoot, name))));
    tools.push({ name: "lefthook", file: join(worktreeRoot, lefthook), runsUs: found.includes(true) });
  }
  const preCommit = names.find((name) => /^\.pre-commit-config\.ya?ml$/.test(name));
  if (preCommit !== undefined) {
    const file = join(worktreeRoot, preCommit);
    tools.push({ name: "pre-commit", file, runsUs: await mentionsUs(file) });
  }
  return tools;
}

async function mentionsUs(path: string): Promise<boolean> {
  try {
    return /\broborev\b.*\bpost-commit\b/.test((await readBoundedFile(path, maxBytes)).toString("utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT" || error instanceof RoborevError) return false; // no such file, or no plain one
    throw error;
  }
}

const quiet = ">/dev/null 2>&1 || :";

/** What to add to the file of a tool, so that it calls us whatever it does with the hooks themselves. */
export const hookSnippets: Record<HookTool["name"], string> = {
  // https://typicode.github.io/husky: a file per hook, which gets the hook's standard input.
  husky: `In .husky/post-commit:
  roborev post-commit ${quiet}
In .husky/post-rewrite:
  roborev remap --quiet ${quiet}`,
  // https://lefthook.dev/configuration/use_stdin.html
  lefthook: `post-commit:
  commands:
    roborev:
      run: roborev post-commit
post-rewrite:
  commands:
    roborev:
      run: roborev remap --quiet
      use_stdin: true`,
  // https://pre-commit.com/#post-commit: hooks of this stage get no files and no standard input.
  "pre-commit": `- repo: local
  hooks:
    - id: roborev
      name: roborev
      entry: roborev post-commit
      language: system
      stages: [post-commit]
      always_run: true
      pass_filenames: false
Then: pre-commit install --hook-type post-commit`,
};
