import { dataPaths } from "../../src/config/paths.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/open.ts";
import { git, type TestRepo } from "./repo.ts";
import { storeReview } from "./reviews.ts";

/**
 * A linked working tree on a branch of its own, both called `name`, with so many open failed reviews; its path. To be
 * called before a daemon runs on the data directory.
 */
export async function addReviewedWorktree(
  dataDir: string,
  repo: TestRepo,
  { name, openReviews }: { name: string; openReviews: number },
): Promise<string> {
  const path = `${repo.path}/../${name}`;
  git(repo.path, "worktree", "add", "-q", "-b", name, path);
  const store = await openStore(dataPaths(dataDir).database, { clock: systemClock });
  const identity = `local://${repo.path}`;
  const { id: repoId } = store.repos.getOrCreate({ rootPath: repo.path, name: "repo", identity });
  store.transaction(() => {
    for (let n = 0; n < openReviews; n++)
      storeReview(store, { repoId, gitRef: `${name}-${n}`, branch: name });
  });
  store.close();
  return git(path, "rev-parse", "--show-toplevel");
}
