import { join } from "node:path";
import { maxConfigBytes, parseRepoConfig } from "../config/parse.ts";
import type { RepoConfig } from "../config/schema.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import type { Checkout } from "../git/checkout.ts";
import { tryGitText } from "../git/exec.ts";
import { findDefaultBranch } from "../git/lineage.ts";
import { errorCode, errorMessage, failureReason, RoborevError } from "../lib/errors.ts";

const fileName = ".roborev.toml";

/** What decides how strictly the repository is reviewed: a branch must not choose that for itself. */
const guardedKeys = [
  "review_guidelines",
  "review_guidelines_supersede_global",
  "review_md_fallback",
  "exclude_patterns",
  "review_min_severity",
  "excluded_commit_patterns",
  "excluded_branches",
  "excluded_branch_patterns",
  "merge_commits",
  "auto_close_passing_reviews",
] as const satisfies (keyof RepoConfig)[];

/** One copy of the file: where it was read, and what it sets. */
export interface RepoCopy {
  /** Path of the checkout's; `main:.roborev.toml` for that of a branch. */
  file: string;
  config: RepoConfig;
}

export interface RepoCopies {
  /** The checkout's; empty where there is none. */
  own: RepoCopy;
  /** The default branch's, unless the review is of the working tree or the checkout's stands in for one it lacks. */
  trusted?: RepoCopy;
}

interface ReadOptions {
  dirty: boolean;
  onWarning(line: string): void;
}

/**
 * The repository's configuration for one review: the checkout's file, except that what guards the review comes from
 * the default branch where that has such a file. Where it has none, the checkout's counts for these keys only if the
 * branch under review did not bring it. A review of the working tree takes the working tree's file.
 * A malformed file of the checkout throws E_CONFIG; of a malformed one of the default branch nothing is taken.
 */
export async function readRepoConfig(checkout: Checkout, options: ReadOptions): Promise<RepoConfig> {
  return mergedConfig(await readRepoCopies(checkout, options));
}

/** Each key as the copy that decides it sets it. */
export function mergedConfig(copies: RepoCopies): RepoConfig {
  const keys = Object.keys({ ...copies.own.config, ...copies.trusted?.config }) as (keyof RepoConfig)[];
  const entries = keys.map((key) => [key, decidingCopy(key, copies).config[key]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The copy that a key is taken from, whether that sets it or not. */
export function decidingCopy(key: keyof RepoConfig, { own, trusted }: RepoCopies): RepoCopy {
  return trusted && (guardedKeys as readonly string[]).includes(key) ? trusted : own;
}

/** What `readRepoConfig` reads, before it is put together. */
export async function readRepoCopies(
  checkout: Checkout,
  { dirty, onWarning }: ReadOptions,
): Promise<RepoCopies> {
  const cwd = checkout.worktreeRoot;
  const path = join(cwd, fileName);
  const text = await readOwn(path);
  const own = { file: path, config: text === undefined ? {} : parsed(text, path, onWarning) };
  const branch = dirty ? undefined : await findDefaultBranch(cwd);
  if (branch === undefined) return { own };
  const committed = await tryGitText(["cat-file", "blob", `${branch.ref}:${fileName}`], { cwd });
  const file = `${branch.name}:${fileName}`;
  if (committed === undefined) {
    // A file that nobody committed is the user's own; one that only this branch has would review itself.
    const isOfBranch = checkout.branch !== branch.branch && (await isTracked(cwd));
    return isOfBranch ? { own, trusted: { file, config: {} } } : { own };
  }
  const isSame = committed === text?.trim(); // then its warnings are the same as well
  try {
    return { own, trusted: { file, config: parsed(committed, file, isSame ? () => {} : onWarning) } };
  } catch (error) {
    onWarning(errorMessage(error));
    return { own, trusted: { file, config: {} } };
  }
}

async function isTracked(cwd: string): Promise<boolean> {
  return (await tryGitText(["ls-files", "--", `:(top,literal)${fileName}`], { cwd }))?.length !== 0;
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    return (await readBoundedFile(path, maxConfigBytes)).toString("utf8");
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    const problem =
      errorCode(cause) === "E_FILE" ? errorMessage(cause) : `cannot read ${path}: ${failureReason(cause)}`;
    throw new RoborevError(problem, { code: "E_CONFIG", cause });
  }
}

function parsed(text: string, where: string, onWarning: (line: string) => void): RepoConfig {
  const { config, warnings } = parseRepoConfig(text, where);
  warnings.forEach(onWarning);
  return config;
}
