import { basename, isAbsolute, join, resolve } from "node:path";
import { homeOf } from "../lib/config-directory.ts";
import { RoborevError } from "../lib/errors.ts";
import { type Packager, packagers } from "../lib/packaged.ts";
import { findOnPath, type Probe } from "./detect.ts";
import type { Environment } from "./options.ts";

export interface BinaryProbe extends Probe {
  nodeType(path: string): "missing" | "directory" | "file" | "executable" | "other";
  realPath(path: string): string | undefined;
  /** The file, or the directory above it, that every user of this machine may change; undefined if none. */
  openToOthers(path: string): string | undefined;
}

export interface BinaryQuestion {
  /** `--binary`. */
  override?: string | undefined;
  /** The running executable. */
  execPath?: string | undefined;
  env: Environment;
  cwd: string;
  probe: BinaryProbe;
}

export interface ResolvedBinary {
  path: string;
  notice?: string;
}

/** The executable to write into hooks: one that is still there after an upgrade. Symbolic links stay links. */
export function resolveBinary(question: BinaryQuestion): ResolvedBinary {
  const override = question.override?.trim();
  const chosen = override ? { path: named(override, question) } : stablePath(question);
  const open = question.probe.openToOthers(chosen.path);
  if (open === undefined) return chosen;
  if (!override) {
    throw failure(
      `every user of this machine can change ${open}, and hooks would run what they put there`,
      "Move roborev to a directory of yours, or accept this one with --binary PATH.",
    );
  }
  return { ...chosen, notice: `Every user of this machine can change ${open}, which the hooks will run.` };
}

const failure = (why: string, hint?: string) =>
  new RoborevError(`resolve roborev binary: ${why}`, { code: "E_BINARY", ...(hint ? { hint } : {}) });

function named(text: string, { env, cwd, probe }: BinaryQuestion): string {
  const expanded = text === "~" || text.startsWith("~/") ? join(homeOf(env), text.slice(1)) : text;
  const isName = !expanded.includes("/") && !expanded.includes("\\");
  const found = isName ? findOnPath(expanded, env, probe) : resolve(cwd, expanded);
  if (found === undefined) throw failure(`find ${text} on PATH: no such executable`);
  const type = probe.nodeType(found);
  if (type === "missing") throw failure(`stat ${found}: no such file`);
  if (type === "directory") throw failure(`${found} is a directory, not a binary`);
  if (type === "other") throw failure(`${found} is not a regular file`);
  if (type === "file") throw failure(`${found} is not executable`);
  return found;
}

// Version managers keep each version in a directory of its own and offer a path that outlives an upgrade.
interface Manager {
  of: Packager;
  shim: (onPath: string) => boolean;
  /** Further stable paths that belong to this install. */
  aliases: (path: string) => string[];
}

const brewPrefixes = ["/opt/homebrew/", "/usr/local/", "/home/linuxbrew/.linuxbrew/"];

const managers: Manager[] = [
  {
    of: packagers.mise,
    shim: (onPath) => onPath.includes("/mise/shims/roborev"),
    aliases: () => [],
  },
  {
    of: packagers.homebrew,
    shim: (onPath) =>
      onPath.endsWith("/bin/roborev") && brewPrefixes.some((prefix) => onPath.startsWith(prefix)),
    aliases: (path) => {
      const prefix = path.slice(0, path.indexOf("/Cellar/roborev/"));
      return [`${prefix}/bin/roborev`, `${prefix}/opt/roborev/bin/roborev`];
    },
  },
  {
    of: packagers.asdf,
    shim: (onPath) => onPath.includes("/.asdf/shims/roborev"),
    aliases: (path) => [`${path.slice(0, path.indexOf("/.asdf/installs/"))}/.asdf/shims/roborev`],
  },
  { of: packagers.nix, shim: () => false, aliases: () => [] },
];

function stablePath({ execPath, env, probe }: BinaryQuestion): ResolvedBinary {
  const onPath = findOnPath("roborev", env, probe);
  const current = execPath?.trim();
  if (!current) return { path: onPath ?? "roborev" };
  if (/^(?:bun|bunx|node|deno)(?:\.exe)?$/i.test(basename(current.replaceAll("\\", "/")))) {
    if (onPath !== undefined) return { path: onPath };
    throw failure(
      `roborev runs from source under ${current}, which hooks cannot start by itself`,
      "Put a built roborev on PATH or name it with --binary PATH.",
    );
  }
  const slashed = current.replaceAll("\\", "/");
  const shim = onPath?.replaceAll("\\", "/");
  const manager = managers.find(({ of }) => of.owns(slashed));
  if (manager && onPath !== undefined && shim !== undefined && manager.shim(shim)) {
    return { path: onPath, notice: instead(manager.of.name, onPath, current) };
  }
  const alias = manager?.aliases(slashed).find((path) => probe.isExecutable(path));
  if (manager && alias !== undefined)
    return { path: alias, notice: instead(manager.of.name, alias, current) };
  // The system reports the running program with its links resolved; the link is what survives an upgrade.
  if (onPath !== undefined && onPath !== current && probe.realPath(onPath) === current)
    return { path: onPath };
  if (!manager) return { path: isAbsolute(current) ? current : resolve(current) };
  return {
    path: current,
    notice:
      `Hooks will run ${current}, a versioned ${manager.of.name} install: an upgrade may leave them behind. ` +
      "Name a stable path with --binary PATH.",
  };
}

const instead = (manager: string, stable: string, current: string) =>
  `Hooks will run ${stable}, which outlives upgrades, instead of ${manager}'s versioned ${current}.`;
