import type { Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { errorCode } from "../lib/errors.ts";
import type { Checkout } from "./checkout.ts";
import { lastValue, tryParseBoolean, tryParseConfig } from "./config-file.ts";
import { readHead } from "./head-file.ts";
import { mainRootOf } from "./main-root.ts";
import { readSmallFile, stampOf } from "./small-file.ts";
import { isSettledAt, Trail } from "./trail.ts";

const maxConfigBytes = 256 * 1024;

/**
 * The checkout that holds `directory`, read from the files of `.git` without starting a process: some 40 times
 * faster than git. Undefined when there certainly is no repository; `"ask-git"` for every shape whose reading is
 * git's to decide (other owner, bare, inside `.git`, `core.worktree` elsewhere, includes, unknown extensions, …).
 * `trail` remembers everything that the answer depends on.
 */
export function readCheckout(directory: string, trail = new Trail()): Checkout | "ask-git" | undefined {
  if (!isAbsolute(directory)) return undefined;
  try {
    const start = trail.real(directory);
    const top = discover(start, trail);
    return top === undefined || top === "ask-git" ? top : read(top.directory, trail);
  } catch (error) {
    return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR" ? undefined : "ask-git";
  }
}

/** Walks up as git does, which also stops at a mount point and at a directory that is a repository itself. */
function discover(start: string, trail: Trail): { directory: string } | "ask-git" | undefined {
  const first = trail.place(start);
  if (!first.isDirectory()) return undefined;
  for (let directory = start; ; directory = dirname(directory)) {
    if (trail.has(directory, ".git")) return { directory };
    if (trail.has(directory, "HEAD") && trail.has(directory, "objects")) return "ask-git";
    if (dirname(directory) === directory) return undefined;
    if (trail.place(dirname(directory)).dev !== first.dev) return "ask-git";
  }
}

function read(top: string, trail: Trail): Checkout | "ask-git" {
  const linkPath = join(top, ".git");
  const dotGit = trail.place(linkPath);
  // `top` is a real path, so that `.git` is one unless it is a link itself.
  if (dotGit.isSymbolicLink()) return "ask-git";
  const gitDir = dotGit.isDirectory() ? linkPath : followGitFile(top, linkPath, trail);
  if (gitDir === undefined) return "ask-git";
  if (!isOurs(dotGit) || !isOurs(trail.place(top))) return "ask-git";
  if (gitDir !== linkPath && !isOurs(trail.place(gitDir))) return "ask-git";
  const commonDir = readCommonDir(gitDir, trail);
  if (commonDir === undefined) return "ask-git";
  if (!trail.has(commonDir, "objects") || !trail.has(commonDir, "refs")) return "ask-git";
  const settings = readSettings(commonDir, trail);
  if (settings === undefined) return "ask-git";
  if (settings.worktree !== undefined) trail.lose();
  if (gitDir === commonDir) {
    // In a linked worktree git ignores these two.
    if (settings.bare) return "ask-git";
    if (settings.worktree !== undefined && trail.real(resolve(gitDir, settings.worktree)) !== top)
      return "ask-git";
  }
  const head = readHead(gitDir, commonDir, trail.file);
  if (head === undefined) return "ask-git";
  const mainRoot = mainRootOf({ worktreeRoot: top, gitDir, commonDir, ...settings });
  return { worktreeRoot: top, mainRoot, gitDir, commonDir, ...head };
}

/** `.git` as a file: `gitdir: <path>`. */
function followGitFile(top: string, path: string, trail: Trail): string | undefined {
  const bytes = readSmallFile(path, 8192, trail.file);
  if (!Buffer.isBuffer(bytes)) return undefined;
  const match = /^gitdir: ([^\0\r\n]+)\n?$/.exec(bytes.toString());
  return match ? trail.real(resolve(top, match[1] as string)) : undefined;
}

function readCommonDir(gitDir: string, trail: Trail): string | undefined {
  if (trail.lacks(gitDir, "commondir")) return gitDir;
  const bytes = readSmallFile(join(gitDir, "commondir"), 8192, trail.file);
  if (bytes === undefined) return gitDir;
  if (bytes === "odd") return undefined;
  const target = bytes.toString().replace(/\n$/, "");
  return target === "" || /[\0\r\n]/.test(target) ? undefined : trail.real(resolve(gitDir, target));
}

const knownExtensions = new Set(["objectformat", "partialclone", "preciousobjects", "noop"]);

interface RepositorySettings {
  bare: boolean;
  worktree?: string;
}

const maxCached = 512;
const cache = new Map<string, { stamp: string; settings: RepositorySettings | undefined }>();

/** From memory while the file is unchanged. */
function readSettings(commonDir: string, trail: Trail): RepositorySettings | undefined {
  const path = join(commonDir, "config");
  const nowMs = Date.now();
  const stat = trail.file(path);
  const stamp = stampOf(stat);
  const cached = cache.get(path);
  if (cached?.stamp === stamp) return cached.settings;
  const settings = parseSettings(path, commonDir);
  if (cache.size >= maxCached) cache.clear();
  if (stat === undefined || isSettledAt(stat, nowMs)) cache.set(path, { stamp, settings });
  return settings;
}

function parseSettings(path: string, commonDir: string): RepositorySettings | undefined {
  const bytes = readSmallFile(path, maxConfigBytes);
  if (!Buffer.isBuffer(bytes)) return undefined;
  const entries = tryParseConfig(bytes.toString());
  if (!entries) return undefined;
  for (const { section, key } of entries) {
    if (section === "include" || section === "includeif") return undefined;
    if (section === "extensions" && !knownExtensions.has(key)) return undefined;
  }
  if (!/^[01]$/.test(lastValue(entries, "core", "repositoryformatversion") ?? "0")) return undefined;
  // Without core.bare git goes by the name.
  const bare = tryParseBoolean(
    lastValue(entries, "core", "bare") ?? (basename(commonDir) === ".git" ? "false" : "?"),
  );
  if (bare === undefined) return undefined;
  const worktree = lastValue(entries, "core", "worktree");
  return { bare, ...(worktree === undefined ? {} : { worktree }) };
}

/** Git refuses a repository of another user unless safe.directory allows it. */
const isOurs = (stat: Stats) => process.geteuid === undefined || stat.uid === process.geteuid();
