import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { isExecutable } from "../../fs/executable.ts";
import type { Environment } from "./reviewer.ts";

/**
 * Directories in which programs are looked up: PATH, then where installers of agent programs put them. A daemon that
 * a hook, a desktop app or the login manager started often has only the system's PATH. Relative entries are left out:
 * they would mean the checkout under review.
 */
export function searchPath(env: Environment): string[] {
  const home = env.HOME || homedir();
  const listed = (env.PATH ?? "").split(delimiter);
  const known = [
    join(home, ".local/bin"),
    "/opt/homebrew/bin",
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    join(home, ".claude/local"),
    join(env.BUN_INSTALL || join(home, ".bun"), "bin"),
    join(env.VOLTA_HOME || join(home, ".volta"), "bin"),
    join(env.MISE_DATA_DIR || join(env.XDG_DATA_HOME || join(home, ".local/share"), "mise"), "shims"),
    join(env.ASDF_DATA_DIR || join(home, ".asdf"), "shims"),
    join(env.NPM_CONFIG_PREFIX || join(home, ".npm-global"), "bin"),
    join(env.XDG_DATA_HOME || join(home, ".local/share"), "fnm/aliases/default/bin"),
    env.PNPM_HOME || join(home, ".local/share/pnpm"),
    join(home, "Library/pnpm"),
    join(home, ".yarn/bin"),
    // Where the programs' own installers put them.
    ...[".opencode/bin", ".grok/bin", ".factory/bin", ".cargo/bin", ".nix-profile/bin"].map((name) =>
      join(home, name),
    ),
    "/home/linuxbrew/.linuxbrew/bin",
    "/snap/bin",
    ...nodeVersions(env.NVM_DIR || join(home, ".nvm")),
  ];
  return [...new Set([...listed, ...known].filter(isAbsolute))];
}

/** nvm has no shims: the newest Node.js first, since programs installed with it need it on PATH. */
function nodeVersions(nvm: string): string[] {
  const versions = join(nvm, "versions/node");
  try {
    const names = readdirSync(versions).filter((name) => /^v\d/.test(name));
    names.sort((a, b) => Bun.semver.order(b, a));
    return names.map((name) => join(versions, name, "bin"));
  } catch {
    return []; // no nvm here
  }
}

/**
 * Absolute path of a program, or undefined. A path must be absolute (`~/` is the home directory). A name that several
 * programs have is the one whose real path matches `realPath`.
 */
export function findExecutable(program: string, env: Environment, realPath?: RegExp): string | undefined {
  const name = program.startsWith("~/") ? join(env.HOME || homedir(), program.slice(2)) : program;
  if (name === "") return undefined;
  if (name.includes("/")) return isAbsolute(name) && isExecutable(name) ? name : undefined;
  return searchPath(env)
    .map((directory) => join(directory, name))
    .find((path) => isExecutable(path) && (realPath === undefined || realPath.test(realpathSync(path))));
}
