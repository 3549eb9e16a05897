import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { removeTree } from "../fs/remove-tree.ts";
import { errorCode, RoborevError } from "../lib/errors.ts";
import { decode, gitText, runGitChecked } from "./exec.ts";
import { withoutLocalDrivers } from "./local-drivers.ts";
import { isFullSha, unknownRevision } from "./revision.ts";
import {
  registerWorktree,
  removeStagedRecords,
  sparseOptions,
  unregisterWorktree,
} from "./worktree-record.ts";

const timeoutMs = 120_000;
/** A million files with long names. */
const maxIndexBytes = 256 * 1024 * 1024;

/**
 * A detached checkout of one commit, for a reviewer to read or an agent to edit, made without running anything that the repository
 * configures: no hooks, no filters. Leaves nothing behind when it fails.
 */
export async function addReviewWorktree(target: {
  mainRoot: string;
  path: string;
  sha: string;
}): Promise<void> {
  if (!isFullSha(target.sha)) throw unknownRevision(target.sha);
  if (existsSync(target.path)) {
    throw new RoborevError(`${target.path} exists already`, { code: "E_WORKTREE" });
  }
  const options = [
    ...(await withoutLocalDrivers(target.mainRoot)),
    ...(await sparseOptions(target.mainRoot)),
  ];
  try {
    await mkdir(target.path, { recursive: true, mode: 0o700 });
    await registerWorktree(target);
    await runGitChecked([...options, "read-tree", "--reset", "-u", "HEAD"], { cwd: target.path, timeoutMs });
  } catch (error) {
    await removeReviewWorktree(target);
    throw error;
  }
}

/** Removes a review worktree and git's record of it, whatever state it is in. */
export async function removeReviewWorktree(target: { mainRoot: string; path: string }): Promise<void> {
  // The directory first: git then only drops its record, and never looks at what a reviewer left there.
  await removeTree(target.path);
  const path = await resolved(target.path);
  await unregisterWorktree({ mainRoot: target.mainRoot, path });
  const registered = await listWorktrees(target.mainRoot);
  for (const worktree of registered.filter((candidate) => candidate === path)) {
    await runGitChecked(["worktree", "remove", "--force", "--force", worktree], { cwd: target.mainRoot });
  }
}

/** Removes every worktree of this repository below our own directory: leftovers of a daemon that died. */
export async function pruneReviewWorktrees(mainRoot: string, underDirectory: string): Promise<string[]> {
  const parent = (await resolved(underDirectory)) + sep;
  const leftovers = (await listWorktrees(mainRoot)).filter((path) => path.startsWith(parent));
  for (const path of leftovers) await removeReviewWorktree({ mainRoot, path });
  await removeStagedRecords(mainRoot);
  return leftovers;
}

/**
 * Fingerprint of a working tree: HEAD, every changed, untracked or ignored path, size and time of those that git does
 * not track, and the marks in the index that make git look away from a change. Equal before and after means that a
 * reviewer changed nothing.
 */
export async function treeState(path: string): Promise<string> {
  const drivers = await withoutLocalDrivers(path);
  const flags = [
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignored=matching",
    "--ignore-submodules=none",
  ];
  const status = await runGitChecked([...drivers, "status", ...flags], { cwd: path, timeoutMs });
  const head = await gitText(["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"], { cwd: path });
  const { stdout: index } = await runGitChecked(["ls-files", "-v", "-z"], {
    cwd: path,
    timeoutMs,
    maxBytes: maxIndexBytes,
  });
  const hash = createHash("sha256").update(head).update(status.stdout).update(index);
  for (const entry of decode(status.stdout).split("\0")) {
    if (!/^[?!] /.test(entry)) continue;
    const stat = await lstat(join(path, entry.slice(2))).catch((error) => {
      if (errorCode(error) === "ENOENT") return undefined; // gone since it was listed
      throw error;
    });
    hash.update(`\0${stat?.size} ${stat?.mtimeMs} ${stat?.mode}`);
  }
  return hash.digest("hex");
}

async function listWorktrees(mainRoot: string): Promise<string[]> {
  const text = await gitText(["worktree", "list", "--porcelain"], { cwd: mainRoot });
  return text
    .split("\n")
    .filter((line) => line.startsWith("worktree "))
    .map((line) => line.slice("worktree ".length));
}

/** The real path; of something that does not exist, below its parent's. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    return join(await resolved(dirname(path)), path.slice(dirname(path).length));
  }
}
