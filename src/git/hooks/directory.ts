import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { errorCode } from "../../lib/errors.ts";
import type { Checkout } from "../checkout.ts";
import { decode, gitError, runGit } from "../exec.ts";

export interface HooksDirectory {
  path: string;
  /** Whose `core.hooksPath` it is; `default` without one. */
  scope: "default" | "local" | "worktree" | "global" | "system";
  /** The configured value as written, `~` expanded. */
  value?: string;
  /** Configuration file that sets it. */
  origin?: string;
}

/** Where git looks for the hooks of this checkout. A relative `core.hooksPath` counts from the main checkout. */
export async function hooksDirectory(checkout: Checkout): Promise<HooksDirectory> {
  const args = [
    "config",
    "--null",
    "--type=path",
    "--show-scope",
    "--show-origin",
    "--get-all",
    "core.hooksPath",
  ];
  const result = await runGit(args, { cwd: checkout.worktreeRoot });
  if (result.exitCode !== 0) throw gitError(args, checkout.worktreeRoot, result);
  const fields = decode(result.stdout).split("\0");
  let found: HooksDirectory = { path: join(checkout.commonDir, "hooks"), scope: "default" };
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [scope, origin = "", value = ""] = fields.slice(index, index + 3);
    if (value === "" || !isScope(scope)) continue; // "command": our own switch that turns hooks off
    const path = isAbsolute(value)
      ? value
      : resolve(scope === "worktree" ? checkout.worktreeRoot : baseOf(checkout), value);
    found = { path, scope, value, origin: resolve(checkout.worktreeRoot, origin.replace(/^file:/, "")) };
  }
  return found;
}

function isScope(scope: string | undefined): scope is "local" | "worktree" | "global" | "system" {
  return scope === "local" || scope === "worktree" || scope === "global" || scope === "system";
}

/** A bare repository has no main checkout: its worktrees are what git would count from. */
const baseOf = ({ mainRoot, commonDir, worktreeRoot }: Checkout) =>
  mainRoot === commonDir ? worktreeRoot : mainRoot;

export function isInside(path: string, directory: string): boolean {
  const below = relative(directory, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The path behind links, also for a file that does not exist yet. */
export async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const parent = resolve(path, "..");
    return parent === path ? path : join(await realTarget(parent), path.slice(parent.length));
  }
}
