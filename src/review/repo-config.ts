import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRepoConfig } from "../config/parse.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { Checkout } from "../git/checkout.ts";
import { tryGitText } from "../git/exec.ts";
import { findDefaultBranch } from "../git/lineage.ts";
import { errorCode, errorMessage, failureReason, RoborevError } from "../lib/errors.ts";

const fileName = ".roborev.toml";

/** What decides how strictly the repository is reviewed: a branch must not choose that for itself. */
const guardedKeys = [
  "review_guidelines",
  "review_guidelines_supersede_global",
  "exclude_patterns",
  "review_min_severity",
  "excluded_commit_patterns",
  "excluded_branches",
  "merge_commits",
  "auto_close_passing_reviews",
] as const satisfies (keyof RepoConfig)[];

/**
 * The repository's configuration for one review: the checkout's file, except that what guards the review comes from
 * the default branch where that has such a file. A review of the working tree takes the working tree's file.
 * A malformed file of the checkout throws E_CONFIG; a malformed one of the default branch counts as absent.
 */
export async function readRepoConfig(
  checkout: Checkout,
  options: { dirty: boolean; onWarning(line: string): void },
): Promise<RepoConfig> {
  const own = await readOwn(checkout, options.onWarning);
  if (options.dirty) return own;
  const trusted = await readTrusted(checkout, options.onWarning);
  if (trusted === undefined) return own;
  const merged: Record<string, unknown> = { ...own };
  for (const key of guardedKeys) {
    if (trusted[key] === undefined) delete merged[key];
    else merged[key] = trusted[key];
  }
  return merged as RepoConfig;
}

async function readOwn(checkout: Checkout, onWarning: (line: string) => void): Promise<RepoConfig> {
  const path = join(checkout.worktreeRoot, fileName);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return {};
    throw new RoborevError(`cannot read ${path}: ${failureReason(cause)}`, { code: "E_CONFIG", cause });
  }
  return parsed(text, path, onWarning);
}

async function readTrusted(
  checkout: Checkout,
  onWarning: (line: string) => void,
): Promise<RepoConfig | undefined> {
  const cwd = checkout.worktreeRoot;
  const branch = await findDefaultBranch(cwd);
  if (branch === undefined) return undefined;
  const text = await tryGitText(["cat-file", "blob", `${branch.ref}:${fileName}`], { cwd });
  if (text === undefined) return undefined;
  try {
    return parsed(text, `${branch.name}:${fileName}`, onWarning);
  } catch (error) {
    onWarning(errorMessage(error));
    return undefined;
  }
}

function parsed(text: string, where: string, onWarning: (line: string) => void): RepoConfig {
  const { config, warnings } = parseRepoConfig(text, where);
  warnings.forEach(onWarning);
  return config;
}
