import type { DataPaths } from "../config/paths.ts";
import { readTextIfThere } from "../fs/text-if-there.ts";

/** Whether a commit was left behind for the daemon, which has not looked at it yet. */
export async function isLeftBehind(
  { missedCommits }: Pick<DataPaths, "missedCommits">,
  sha: string,
): Promise<boolean> {
  const isIn = async (path: string) => (await readTextIfThere(path))?.includes(`"sha":"${sha}"`) ?? false;
  // The daemon sets the file aside while it works on it: whoever looked there first could miss it in both.
  return (await isIn(missedCommits)) || (await isIn(`${missedCommits}.reading`));
}
