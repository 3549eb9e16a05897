import { copyFile, mkdtemp, rm, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
import { RoborevError } from "../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";
import { runUserGit, runUserGitChecked, type UserGitOptions } from "./as-user.ts";
import { gitError, gitFields, gitText, runGitChecked, tryGitText } from "./exec.ts";
import { withoutLocalDrivers } from "./local-drivers.ts";

const timeoutMs = 120_000;
const maxPatchBytes = 256 * 1024 * 1024;

/** A working tree as it was when it was made: what its changes are told by. */
export interface TreeBase {
  /** Where the worktree lies. */
  path: string;
  gitDir: string;
  /** Full SHA of the commit that it began at. */
  sha: string;
  /** Copy of its index. */
  index: string;
}

/** A patch as git writes and reads it. */
export interface PatchBytes {
  bytes: Uint8Array;
}

/** What a working tree holds beyond the commit that it began at. */
export interface TreePatch extends PatchBytes {
  /** Tree of the working tree as it is. */
  tree: string;
}

/** Remembers the state of a fresh worktree in `directory`, before anybody works in it. */
export async function rememberTree(path: string, sha: string, directory: string): Promise<TreeBase> {
  const gitDir = resolve(path, await gitText(["rev-parse", "--absolute-git-dir"], { cwd: path }));
  const index = join(await mkdtemp(join(directory, "index-")), "index");
  await copyFile(join(gitDir, "index"), index);
  // So old that git trusts no time of a file in it, and compares contents.
  await utimes(index, 1, 1);
  return { path, gitDir, sha, index };
}

/**
 * Everything that was changed in the worktree since: what is in commits made there, what is staged, what is neither;
 * new files too, unless ignored. Undefined without any change. The worktree's own index plays no part in it, nor does
 * its `.git`, which may lead elsewhere by now. Throws E_OWN_REPOSITORY where a patch would lose files.
 */
export async function treePatch(base: TreeBase): Promise<TreePatch | undefined> {
  const { path: cwd, gitDir, sha, index } = base;
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: cwd, GIT_INDEX_FILE: index };
  const drivers = await withoutLocalDrivers(cwd, env);
  await runGitChecked([...drivers, "add", "--all", "--", "."], { cwd, env, timeoutMs });
  // This reads files as well, where their times leave a doubt.
  const tree = await gitText([...drivers, "write-tree"], { cwd, env, timeoutMs });
  const [own] = await ownRepositories({ cwd, env }, sha, tree);
  if (own !== undefined) {
    throw new RoborevError(
      `${singleLine(own)} has become a git repository of its own, and its files are in no patch`,
      {
        code: "E_OWN_REPOSITORY",
      },
    );
  }
  return patchBetween({ cwd, env }, sha, tree);
}

/** Where a patch is made: `env` names the repository if `cwd` does not lead to it. */
interface Place {
  cwd: string;
  env?: Record<string, string>;
}

/** Repositories that came about within the tree and are no submodules. Git keeps nothing of one but a commit's number. */
async function ownRepositories(place: Place, from: string, to: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--diff-filter=AT", from, to];
  const fields = await gitFields(args, { ...place, timeoutMs });
  const found = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.split(" ")[1] === "160000");
  if (found.length === 0) return [];
  const known = ["config", "--null", `--blob=${to}:.gitmodules`, "--get-regexp", "^submodule\\..*\\.path$"];
  const listed = (await tryGitText(known, place)) ?? ""; // no such file
  const modules = listed.split("\0").map((entry) => entry.slice(entry.indexOf("\n") + 1));
  return found.filter((path) => !modules.includes(path));
}

/** The binary patch that leads from one commit or tree to another; undefined where they are the same. */
export async function patchBetween(place: Place, from: string, to: string): Promise<TreePatch | undefined> {
  const shape = ["--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
  const sides = ["--src-prefix=a/", "--dst-prefix=b/", "--unified=3", "-O/dev/null"];
  const args = ["diff-tree", "-r", "-p", ...shape, ...sides, from, to];
  const { stdout } = await runGitChecked(args, { ...place, timeoutMs, maxBytes: maxPatchBytes });
  return stdout.length === 0 ? undefined : { bytes: stdout, tree: to };
}

const asItIs = ["apply", "--index", "--binary", "--whitespace=nowarn", "--no-ignore-whitespace"];

/** A file that was only touched is no obstacle. Git says with its exit status which files are more than that. */
const refresh = (options: UserGitOptions) => runUserGit(["update-index", "-q", "--refresh"], options);

/** Whether a patch would go into the working tree. */
export type PatchCheck =
  | { kind: "applies" }
  /** What it does is done. */
  | { kind: "there" }
  /** The code is not what it was made for; `reason` is git's. */
  | { kind: "conflict"; reason: string };

/** https://git-scm.com/docs/git-apply: it has one exit status for everything that it does not like. */
const conflicts =
  /does not apply|already exists in index|does not exist in index|does not match (?:index|the current contents)|No such file or directory|has type|removal patch leaves|still has contents|depends on old contents/;

/** Tries a patch on index and working tree of the user, and changes nothing. Throws for what is no patch. */
export async function checkPatch(patch: PatchBytes, options: UserGitOptions): Promise<PatchCheck> {
  await refresh(options);
  const attempt = (...more: string[]) =>
    runUserGit([...asItIs, "--check", ...more, "-"], {
      ...{ ...options, stdin: patch.bytes },
      variables: { LC_ALL: "C", LANGUAGE: "" },
    });
  const forward = await attempt();
  if (forward.exitCode === 0) return { kind: "applies" };
  options.signal?.throwIfAborted();
  if (forward.timedOut || !conflicts.test(forward.stderr))
    throw doesNotGo(gitError(asItIs, options.cwd, forward).message);
  const reason = truncateUtf8(singleLine(/^error: (.+)$/m.exec(forward.stderr)?.[1] ?? ""), 300);
  return (await attempt("--reverse")).exitCode === 0 ? { kind: "there" } : { kind: "conflict", reason };
}

const doesNotGo = (reason: string, cause?: unknown) =>
  new RoborevError(`the change does not go into the working tree: ${reason}`, {
    code: "E_APPLY",
    hint: "A file that git does not track may stand in its way.",
    ...(cause === undefined ? {} : { cause }),
  });

/** Applies a patch to index and working tree of the user, all of it or nothing. */
export async function applyPatch(patch: PatchBytes, options: UserGitOptions): Promise<void> {
  try {
    await refresh(options);
    await runUserGitChecked([...asItIs, "-"], { ...options, stdin: patch.bytes });
  } catch (cause) {
    if (!(cause instanceof RoborevError)) throw cause;
    throw doesNotGo(cause.message, cause);
  }
}

/** Takes a patch back; false, and nothing is changed, where a file is not as the patch left it. */
export async function revertPatch(patch: PatchBytes, options: UserGitOptions): Promise<boolean> {
  try {
    await refresh(options);
    await runUserGitChecked([...asItIs, "--reverse", "-"], { ...options, stdin: patch.bytes });
    return true;
  } catch (error) {
    if (error instanceof RoborevError && error.code === "E_GIT") return false;
    throw error;
  }
}

/** Removes what `rememberTree` keeps. */
export async function forgetTree(base: TreeBase): Promise<void> {
  await rm(join(base.index, ".."), { recursive: true, force: true });
}
