import { dataPaths } from "../../../src/config/paths.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openStore } from "../../../src/store/open.ts";
import { git, type TestRepo } from "../../support/repo.ts";
import { storeReview } from "../../support/reviews.ts";

/** More than one reminder names: a session is told many times before it knows all of them. */
const openReviews = 400;

/** A linked working tree on a branch of its own, named `name`, with open failed reviews. Before any daemon runs. */
export async function addWorktree(dataDir: string, repo: TestRepo, name: string): Promise<string> {
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
