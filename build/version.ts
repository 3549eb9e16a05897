import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./compile.ts";

/**
 * `1.2.3+<commit>` for a release, `1.2.3-dev+<commit>` for any other build, with `.dirty` when files differ from the
 * commit; without git there is no commit in it.
 */
export async function sourceVersion(kind: "release" | "dev"): Promise<string> {
  const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  const base = kind === "dev" ? `${version}-dev` : version;
  const commit = git("rev-parse", "--short=12", "HEAD");
  if (!commit) return base;
  return `${base}+${commit}${git("status", "--porcelain", "--untracked-files=no") === "" ? "" : ".dirty"}`;
}

function git(...args: string[]): string | undefined {
  if (!existsSync(join(root, ".git"))) return undefined;
  try {
    const run = Bun.spawnSync(["git", "--no-optional-locks", ...args], { cwd: root, stderr: "ignore" });
    return run.exitCode === 0 ? run.stdout.toString().trim() : undefined;
  } catch {
    return undefined; // no git on this machine: the version does without the commit
  }
}
