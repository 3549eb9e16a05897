import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { gitText, runGitChecked, tryGitText } from "./exec.ts";

const stagedPrefix = "roborev-worktree-";

/**
 * Makes the empty directory `path` a detached worktree at `sha`, as `git worktree add --detach --no-checkout` does, but
 * with a record that is whole from its first moment. Git's own first holds a HEAD of zeros, and until it is replaced
 * `git log --all`, `git fetch` and `git gc` of the user end with "bad object worktrees/…/HEAD".
 * https://git-scm.com/docs/gitrepository-layout#Documentation/gitrepository-layout.txt-worktrees
 */
export async function registerWorktree(target: {
  mainRoot: string;
  path: string;
  sha: string;
}): Promise<void> {
  const { mainRoot: cwd, sha } = target;
  await runGitChecked(["rev-parse", "--verify", "--quiet", `${sha}^{commit}`], { cwd });
  const common = resolve(cwd, await gitText(["rev-parse", "--git-common-dir"], { cwd }));
  const path = await realpath(target.path);
  const name = basename(path);
  const record = join(common, "worktrees", name);
  const staged = join(common, `${stagedPrefix}${name}`);
  try {
    await mkdir(join(staged, "info"), { recursive: true });
    await writeFile(join(staged, "HEAD"), `${sha}\n`);
    await writeFile(join(staged, "commondir"), "../..\n");
    await writeFile(join(staged, "gitdir"), `${path}/.git\n`);
    await copySparsePatterns(cwd, staged);
    await writeFile(join(path, ".git"), `gitdir: ${record}\n`);
    await mkdir(join(common, "worktrees"), { recursive: true });
    await rename(staged, record);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

// For a git that has read `gitdir` and is about to read the rest.
const readersMs = 100;

/**
 * Takes the record of the worktree at `path` away, where it is one that we made. A git of the user that reads it
 * meanwhile ends with "failed to read …/commondir", so `gitdir` goes first: without it git passes the record over.
 * Git's own removal deletes file after file in any order.
 */
export async function unregisterWorktree(target: { mainRoot: string; path: string }): Promise<void> {
  const { mainRoot: cwd, path } = target;
  const common = resolve(cwd, await gitText(["rev-parse", "--git-common-dir"], { cwd }));
  const name = basename(path);
  const record = join(common, "worktrees", name);
  const staged = join(common, `${stagedPrefix}${name}`);
  const gitdir = await readFile(join(record, "gitdir"), "utf8").catch(ignoreAbsent);
  if (gitdir !== `${path}/.git\n`) return;
  await rm(staged, { recursive: true, force: true });
  await rm(join(record, "gitdir"), { force: true });
  await Bun.sleep(readersMs);
  await rename(record, staged).catch(ignoreAbsent); // a prune of the user was faster
  await rm(staged, { recursive: true, force: true });
  await rmdir(join(common, "worktrees")).catch(() => undefined); // as git does, unless it holds others
}

function ignoreAbsent(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}

/** Removes records that a process left half made when it was killed. */
export async function removeStagedRecords(cwd: string): Promise<void> {
  const common = resolve(cwd, await gitText(["rev-parse", "--git-common-dir"], { cwd }));
  const left = (await readdir(common)).filter((name) => name.startsWith(stagedPrefix));
  await Promise.all(left.map((name) => rm(join(common, name), { recursive: true, force: true })));
}

/** Options of a checkout in such a worktree: what the user's own checkout leaves out, it leaves out as well. */
export async function sparseOptions(cwd: string): Promise<string[]> {
  const keys = ["core.sparseCheckout", "core.sparseCheckoutCone"];
  const options = await Promise.all(
    keys.map(async (key) => {
      const value = await tryGitText(["config", "--bool", key], { cwd });
      return value === "true" ? ["-c", `${key}=true`] : [];
    }),
  );
  return options.flat();
}

async function copySparsePatterns(cwd: string, staged: string): Promise<void> {
  const file = await gitText(["rev-parse", "--git-path", "info/sparse-checkout"], { cwd });
  try {
    await copyFile(resolve(cwd, file), join(staged, "info", "sparse-checkout"));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error; // the usual case: the checkout is whole
  }
}
