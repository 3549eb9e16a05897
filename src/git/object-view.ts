import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { RoborevError } from "../lib/errors.ts";
import { gitText } from "./exec.ts";

/**
 * Runs `work` with an environment in which git sees the objects of the repository at `cwd` and nothing else of it: no
 * configuration, no attributes, no grafts. What two commits differ in is then for nobody in the repository to hide.
 */
export async function withObjectsOnly<T>(
  cwd: string,
  scratchDirectory: string | undefined,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { objects, format } = await objectStore(cwd);
  const gitDir = await mkdtemp(join(scratchDirectory ?? tmpdir(), "roborev-git-"));
  try {
    await mkdir(join(gitDir, "refs"));
    await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
    await writeFile(
      join(gitDir, "config"),
      `[core]\nrepositoryFormatVersion = 1\nbare = true\nattributesFile = /dev/null\n[extensions]\nobjectFormat = ${format}\n`,
    );
    return await work({ GIT_DIR: gitDir, GIT_OBJECT_DIRECTORY: objects, GIT_ATTR_NOSYSTEM: "1" });
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

async function objectStore(cwd: string): Promise<{ objects: string; format: string }> {
  const answer = await gitText(["rev-parse", "--git-path", "objects", "--show-object-format"], { cwd });
  // The last line: a path may hold line breaks.
  const at = answer.lastIndexOf("\n");
  const format = answer.slice(at + 1);
  if (at === -1 || !/^sha\d+$/.test(format)) {
    throw new RoborevError(`git rev-parse in ${cwd} named no object store`, { code: "E_GIT" });
  }
  return { objects: resolve(cwd, answer.slice(0, at)), format };
}
