import { join } from "node:path";
import { maxConfigBytes, parseRepoHooks, type RepoHooks } from "../../config/parse.ts";
import { readSmallFile } from "../../git/small-file.ts";
import { RoborevError } from "../../lib/errors.ts";

export const repoHooksFile = (worktreeRoot: string): string => join(worktreeRoot, ".roborev.toml");

/** The hooks that a checkout's `.roborev.toml` asks for; undefined where it asks for none. Throws E_CONFIG. */
export function readRepoHooks(worktreeRoot: string): RepoHooks | undefined {
  const path = repoHooksFile(worktreeRoot);
  const bytes = readSmallFile(path, maxConfigBytes);
  if (bytes === undefined) return undefined;
  if (bytes === "odd") {
    throw new RoborevError(`cannot read hooks from ${path}: it is no plain file of at most 1 MiB`, {
      code: "E_CONFIG",
    });
  }
  return parseRepoHooks(bytes.toString("utf8"), path);
}
