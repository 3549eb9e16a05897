import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { RoborevError } from "../lib/errors.ts";
import type { RunResult } from "../lib/process.ts";
import { createCheckoutReader } from "./checkout-cache.ts";
import { lastValue, tryParseBoolean } from "./config-file.ts";
import { decode, gitError, runGit, tryGitText } from "./exec.ts";
import { isPlainBranchRef } from "./head-file.ts";
import { mainRootOf } from "./main-root.ts";
import { isFullSha } from "./revision.ts";

/** Where a directory stands in a repository. All paths are real and absolute. */
export interface Checkout {
  /** Top of this working tree. */
  worktreeRoot: string;
  /** What all checkouts of the repository share: the main one, or the bare repository's own directory. */
  mainRoot: string;
  /** The git directory of this working tree. */
  gitDir: string;
  /** The git directory that all working trees share. */
  commonDir: string;
  /** Full SHA; absent on a branch without commits. */
  head?: string;
  /** Empty when HEAD is detached. */
  branch: string;
}

const limitMs = 2000;
const readCheckout = createCheckoutReader();

/**
 * The checkout that holds `directory`. Undefined where there is no working tree: no repository, a bare one, inside
 * `.git`, a `core.worktree` that lies elsewhere, no such directory. Anything else that stops git (foreign owner, time-out) is an error with git's reason.
 * Costs microseconds for ordinary repositories, one to three git processes for the others. While nothing changes it
 * is the same object.
 */
export async function resolveCheckout(directory: string): Promise<Checkout | undefined> {
  const read = readCheckout(directory);
  return read === "ask-git" ? findCheckout(directory) : read;
}

/** As `resolveCheckout`, always by asking git. */
export async function findCheckout(directory: string): Promise<Checkout | undefined> {
  if (!isAbsolute(directory) || !isDirectory(directory)) return undefined;
  const args = ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
  const all = await runGit([...args, "HEAD", "--symbolic-full-name", "HEAD"], options(directory));
  const lines = decode(all.stdout).split("\n");
  if (all.exitCode === 0 && lines.length === 6) {
    const [top, gitDir, commonDir, head, ref] = lines as [string, string, string, string, string];
    return place({ directory, top, gitDir, commonDir, head, ref });
  }
  if (all.timedOut) throw gitError(args, directory, all);
  // No commit yet, no repository, or a path with a line break in it: ask one by one.
  const [top, gitDir, commonDir] = [
    await line(directory, "--show-toplevel"),
    await line(directory, "--absolute-git-dir"),
    await line(directory, "--git-common-dir"),
  ];
  if (top === undefined || gitDir === undefined || commonDir === undefined) return undefined;
  const head = await tryGitText(["rev-parse", "--verify", "--quiet", "HEAD"], options(directory));
  const ref = await tryGitText(["symbolic-ref", "--quiet", "HEAD"], options(directory));
  if (head === undefined && ref === undefined) {
    throw new RoborevError(`HEAD of ${top} is broken`, {
      code: "E_GIT",
      hint: "Check it with `git status`.",
    });
  }
  return place({ directory, top, gitDir, commonDir, head, ref: ref ?? "HEAD" });
}

/** Whether git sees a repository here at all, be it bare or the inside of `.git`. */
export async function isInRepository(directory: string): Promise<boolean> {
  return (await tryGitText(["rev-parse", "--git-dir"], options(directory))) !== undefined;
}

const options = (cwd: string) => ({ cwd, timeoutMs: limitMs });

/** One answer of rev-parse without its final line break; undefined when there is no working tree. */
async function line(directory: string, question: string): Promise<string | undefined> {
  const args = ["rev-parse", question];
  const result = await runGit(args, options(directory));
  if (result.exitCode === 0) return decode(result.stdout).replace(/\n$/, "");
  if (isNoWorkTree(result)) return undefined;
  throw gitError(args, directory, result);
}

function isNoWorkTree(result: RunResult): boolean {
  return !result.timedOut && /not a git repository|must be run in a work tree/.test(result.stderr);
}

interface Answers {
  directory: string;
  top: string;
  gitDir: string;
  commonDir: string;
  head: string | undefined;
  ref: string;
}

async function place(answers: Answers): Promise<Checkout | undefined> {
  if (answers.top === "") return undefined; // older versions of git: inside .git
  const worktreeRoot = await realpath(answers.top);
  // core.worktree may name any directory of the user; one that nobody is in is not theirs to have reviewed.
  const way = relative(worktreeRoot, await realpath(answers.directory));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  const gitDir = await realpath(answers.gitDir);
  // Relative to the directory that was asked from, unless absolute.
  const commonDir = await realpath(
    isAbsolute(answers.commonDir) ? answers.commonDir : `${answers.directory}/${answers.commonDir}`,
  );
  const common = gitDir === commonDir ? { bare: false } : await commonSettings(commonDir);
  return {
    worktreeRoot,
    mainRoot: mainRootOf({ worktreeRoot, gitDir, commonDir, ...common }),
    gitDir,
    commonDir,
    ...(answers.head !== undefined && isFullSha(answers.head) ? { head: answers.head } : {}),
    branch: branchOf(answers.ref, worktreeRoot),
  };
}

function branchOf(ref: string, worktreeRoot: string): string {
  if (!ref.startsWith("refs/heads/")) return "";
  if (isPlainBranchRef(ref)) return ref.slice("refs/heads/".length);
  throw new RoborevError(`HEAD of ${worktreeRoot} names an impossible branch`, { code: "E_GIT" });
}

async function commonSettings(commonDir: string): Promise<{ bare: boolean; worktree?: string }> {
  const listed = await tryGitText(
    [`--git-dir=${commonDir}`, "config", "--null", "--get-regexp", "^core\\.(bare|worktree)$"],
    options(commonDir),
  );
  const entries = (listed ?? "")
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return { section: "core", key: key.slice("core.".length), value: value.join("\n") || "true" };
    });
  const worktree = lastValue(entries, "core", "worktree");
  return {
    bare: tryParseBoolean(lastValue(entries, "core", "bare") ?? "false") ?? false,
    ...(worktree === undefined ? {} : { worktree }),
  };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
