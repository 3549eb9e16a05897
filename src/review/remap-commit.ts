import { type CommitInfo, commitInfo } from "../git/commit.ts";
import { patchId } from "../git/patch-id.ts";
import type { Repo } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { observed, type RewriteEffects, type RewritePlace, type Rewritten } from "./rewrite-effects.ts";

interface Outcome {
  kind: "remapped" | "superseded";
  count: number;
  effects: RewriteEffects;
}

/** Reviews of a commit follow it when it was rewritten without being changed; else they are superseded. */
export async function remapCommit(
  { cwd, repo, database }: RewritePlace,
  { oldSha, newSha, isGone: closes }: Rewritten,
): Promise<Outcome> {
  const [before, after] = await Promise.all([patchId(cwd, oldSha), patchId(cwd, newSha)]);
  const info = await commitInfo(cwd, newSha);
  return database((store) =>
    store.transaction(() => {
      const old = store.jobs.list({ gitRef: oldSha, repo: repo.root_path, limit: 0 }).jobs;
      const change = { repoId: repo.id, oldSha, newSha, closes };
      if (after === undefined || before !== after) {
        const { value: count, ...effects } = observed(store, old, () => store.jobs.supersede(change));
        return { kind: "superseded" as const, count, effects: { ...effects, canceled: [] } };
      }
      const canceled = withdrawRepeated(store, repo, { oldSha, newSha });
      const commitId = store.commits.getOrCreate({ repoId: repo.id, ...commitRow(info) });
      const { value: count, ...effects } = observed(store, old, () =>
        store.jobs.remap({ ...change, patchId: after, commitId }),
      );
      return { kind: "remapped" as const, count, effects: { ...effects, canceled } };
    }),
  );
}

/**
 * `git commit --amend` runs post-commit before post-rewrite: by the time we hear that only the message changed, the
 * new SHA is queued. Where the old one was reviewed already, that review follows and is not done again.
 */
function withdrawRepeated(
  store: Store,
  repo: Repo,
  { oldSha, newSha }: { oldSha: string; newSha: string },
): number[] {
  const of = (gitRef: string) =>
    store.jobs.list({ gitRef, repo: repo.root_path, jobType: "review", limit: 0 }).jobs;
  if (!of(oldSha).some((job) => job.status === "done")) return [];
  return of(newSha)
    .filter((job) => job.source === "post_commit" && store.jobs.cancel(job.id))
    .map((job) => job.id);
}

/** A commit as the store keeps it. */
export const commitRow = ({ sha, author, subject, timestamp }: CommitInfo) => ({
  sha,
  author,
  subject,
  timestamp,
});
