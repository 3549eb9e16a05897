import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { errorCode } from "../lib/errors.ts";
import type { Checkout } from "./checkout.ts";
import { lastValue, tryParseBoolean, tryParseConfig } from "./config-file.ts";
import { readHead } from "./head-file.ts";
import { mainRootOf } from "./main-root.ts";
import { fileStamp, readSmallFile } from "./small-file.ts";

const maxConfigBytes = 256 * 1024;

/**
 * The checkout that holds `directory`, read from the files of `.git` without starting a process: some 40 times
 * faster than git. Undefined when there certainly is no repository; `"ask-git"` for every shape whose reading is
 * git's to decide (other owner, bare, inside `.git`, `core.worktree` elsewhere, includes, unknown extensions, …).
 */
export function readCheckout(directory: string): Checkout | "ask-git" | undefined {
  if (!isAbsolute(directory)) return undefined;
  try {
    const start = realpathSync(directory);
    const found = discover(start);
    return typeof found === "object" ? read(found.top, found.dotGit) : found;
  } catch (error) {
    return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR" ? undefined : "ask-git";
  }
}

/** Walks up as git does, which also stops at a mount point and at a directory that is a repository itself. */
function discover(start: string): { top: string; dotGit: Stats } | "ask-git" | undefined {
  const first = statSync(start);
  if (!first.isDirectory()) return undefined;
  for (let directory = start; ; directory = dirname(directory)) {
    const dotGit = statSync(join(directory, ".git"), { throwIfNoEntry: false });
    if (dotGit) return { top: directory, dotGit };
    if (exists(join(directory, "HEAD")) && exists(join(directory, "objects"))) return "ask-git";
    if (dirname(directory) === directory) return undefined;
    if (statSync(dirname(directory)).dev !== first.dev) return "ask-git";
  }
}

function read(top: string, dotGit: Stats): Checkout | "ask-git" {
  const linkPath = join(top, ".git");
  // `top` is a real path, so that `.git` is one unless it is a link itself.
  if (dotGit.isDirectory() && lstatSync(linkPath).isSymbolicLink()) return "ask-git";
  const gitDir = dotGit.isDirectory() ? linkPath : followGitFile(top, linkPath);
  if (gitDir === undefined) return "ask-git";
  if (!isOurs(dotGit) || !isOurs(statSync(top))) return "ask-git";
  if (gitDir !== linkPath && !isOurs(statSync(gitDir))) return "ask-git";
  const commonDir = readCommonDir(gitDir);
  if (commonDir === undefined) return "ask-git";
  if (!exists(join(commonDir, "objects")) || !exists(join(commonDir, "refs"))) return "ask-git";
  const settings = readSettings(commonDir);
  if (settings === undefined) return "ask-git";
  if (gitDir === commonDir) {
    // In a linked worktree git ignores these two.
    if (settings.bare) return "ask-git";
    if (settings.worktree !== undefined && realpathSync(resolve(gitDir, settings.worktree)) !== top)
      return "ask-git";
  }
  const head = readHead(gitDir, commonDir);
  if (head === undefined) return "ask-git";
  const mainRoot = mainRootOf({ worktreeRoot: top, gitDir, commonDir, ...settings });
  return { worktreeRoot: top, mainRoot, gitDir, commonDir, ...head };
}

/** `.git` as a file: `gitdir: <path>`. */
function followGitFile(top: string, path: string): string | undefined {
  const bytes = readSmallFile(path, 8192);
  if (!Buffer.isBuffer(bytes)) return undefined;
  const match = /^gitdir: ([^\0\r\n]+)\n?$/.exec(bytes.toString());
  return match ? realpathSync(resolve(top, match[1] as string)) : undefined;
}

function readCommonDir(gitDir: string): string | undefined {
  const bytes = readSmallFile(join(gitDir, "commondir"), 8192);
  if (bytes === undefined) return gitDir;
  if (bytes === "odd") return undefined;
  const path = bytes.toString().replace(/\n$/, "");
  return path === "" || /[\0\r\n]/.test(path) ? undefined : realpathSync(resolve(gitDir, path));
}

const knownExtensions = new Set(["objectformat", "partialclone", "preciousobjects", "noop"]);

interface RepositorySettings {
  bare: boolean;
  worktree?: string;
}

const maxCached = 512;
const cache = new Map<string, { stamp: string; settings: RepositorySettings | undefined }>();

/** From memory while the file is unchanged. */
function readSettings(commonDir: string): RepositorySettings | undefined {
  const path = join(commonDir, "config");
  const stamp = fileStamp(path);
  const cached = cache.get(path);
  if (cached?.stamp === stamp) return cached.settings;
  const settings = parseSettings(path, commonDir);
  if (cache.size >= maxCached) cache.clear();
  cache.set(path, { stamp, settings });
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

const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Git refuses a repository of another user unless safe.directory allows it. */
const isOurs = (stat: Stats) => process.geteuid === undefined || stat.uid === process.geteuid();
