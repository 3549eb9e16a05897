import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { gitFields, gitText } from "./exec.ts";

// Settings by which the user's own git would run a program, find one, or apply one to more files.
const startsPrograms =
  /^(?:core\.(?:fsmonitor|hookspath|sshcommand|editor|pager|askpass|gitproxy|worktree|attributesfile|alternaterefscommand)|(?:alias|filter|merge|include|includeif|credential|gpg|pager|difftool|mergetool|hook|sendemail|web|browser|man|extensions|protocol)\..*|diff\.(?:external|.*\.(?:command|textconv))|sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook|init\.templatedir|trailer\..*\.(?:command|cmd)|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|submodule\..*\.update)$/is;

const maxFileBytes = 1024 * 1024;

/**
 * Fingerprint of everything that this repository could make its user's git start: hooks, and the settings that name
 * programs. A reviewer works in a linked worktree, whose `.git` leads to it.
 */
export async function startableState(mainRoot: string): Promise<string> {
  const common = resolve(mainRoot, await gitText(["rev-parse", "--git-common-dir"], { cwd: mainRoot }));
  const listed = await gitFields(["config", "--null", "--show-scope", "--list"], { cwd: mainRoot });
  const hash = createHash("sha256");
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const isOwn = listed[at] === "local" || listed[at] === "worktree";
    const setting = listed[at + 1] ?? "";
    if (isOwn && startsPrograms.test(setting.split("\n", 1)[0] ?? "")) hash.update(`${setting}\0`);
  }
  const hooks = join(common, "hooks");
  const names = (await readdir(hooks).catch(ignoreAbsent)) ?? [];
  const paths = names.filter((name) => !name.endsWith(".sample")).map((name) => join(hooks, name));
  for (const path of [...paths.sort(), join(common, "info", "attributes")]) {
    hash.update(`\0${path}\0${await fileState(path)}`);
  }
  return hash.digest("hex");
}

/** Mode and content; of what is large or no file, size and time. */
async function fileState(path: string): Promise<string> {
  try {
    const stat = await lstat(path);
    if (!stat.isFile() || stat.size > maxFileBytes) return `${stat.mode} ${stat.size} ${stat.mtimeMs}`;
    return `${stat.mode} ${await readFile(path, "latin1")}`;
  } catch (error) {
    ignoreAbsent(error);
    return "";
  }
}

function ignoreAbsent(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
}
