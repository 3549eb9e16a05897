import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Harness } from "../harness/harness.ts";
import { errorCode, RoborevError } from "../lib/errors.ts";
import { configHomes } from "./detect.ts";
import type { Environment } from "./options.ts";

/**
 * Refuses a file of a project where hooks are registered for the user alone: one below a directory that is named as
 * the harness's own, in the working directory or at the root of a repository. The user's own directory stays allowed,
 * whatever it lies in. Both the path as it is given and what it leads to, in the spelling of the disk, have to pass.
 */
export function requireUserScope(
  harness: Harness,
  path: string,
  { env, cwd }: { env: Environment; cwd: string },
): void {
  if (!harness.config.userScopeOnly) return;
  const name = basename(harness.config.directory).toLowerCase();
  const homes = new Set(configHomes(harness, env).flatMap((home) => [resolve(cwd, home), realPath(home)]));
  const here = new Set([resolve(cwd), realPath(cwd)]);
  for (const candidate of [resolve(cwd, path), realPath(resolve(cwd, path))]) {
    for (let at = dirname(candidate); at !== dirname(at); at = dirname(at)) {
      const project = dirname(at);
      if (basename(at).toLowerCase() !== name || homes.has(project)) continue;
      if (here.has(project) || existsSync(join(project, ".git"))) throw refused(harness);
    }
  }
}

const refused = ({ displayName }: Harness) =>
  new RoborevError(`project-scoped ${displayName} hook config is not supported`, {
    code: "E_SCOPE",
    hint: "Use the hooks file of the user instead: leave --config out",
  });

/** Links followed and case as on the disk, as far down as the path exists. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const parent = dirname(path);
    if (errorCode(error) === "ENOENT" && parent !== path) return join(realPath(parent), basename(path));
    return path;
  }
}
