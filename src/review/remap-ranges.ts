import { emptyTree, resolveCommit } from "../git/commit.ts";
import { gitText } from "../git/exec.ts";
import { isAncestor } from "../git/lineage.ts";
import type { RangeJob, Store } from "../store/store.ts";
import { observed, type RewriteEffects, type RewritePlace, type Rewritten } from "./rewrite-effects.ts";

const ended = (status: string) => ["canceled", "failed", "skipped"].includes(status);

/**
 * Reviews of a branch follow its last commit when that was rewritten without changing anything; where the branch up to
 * the new commit is reviewed anyway, they are superseded, or the job that would have reviewed the same once more is
 * canceled. A range whose inner commits changed stays: no other review says what it says.
 */
export async function remapRanges(
  { cwd, repo, branch, database }: RewritePlace,
  { oldSha, newSha, isGone }: Rewritten,
): Promise<RewriteEffects> {
  const branchRanges = (store: Store) => store.jobs.ranges({ repoId: repo.id, branch });
  const ranges = await database(branchRanges);
  const all: RewriteEffects = { canceled: [], moved: [], moving: [], closed: [] };
  for (const range of ranges.filter(({ git_ref: ref }) => ref.endsWith(`..${oldSha}`))) {
    const base = range.git_ref.slice(0, range.git_ref.indexOf(".."));
    const newRef = `${base}..${newSha}`;
    const isSame = await changesTheSame(cwd, base, { oldSha, newSha });
    const follow = (store: Store): number[] => {
      const twin = branchRanges(store).find((each) => isTwin(each, newRef, range.review_type));
      const canceled = isSame && twin && range.status === "done" && isWithdrawn(store, twin) ? [twin.id] : [];
      if (twin && canceled.length === 0) store.jobs.supersedeRange(range.id, { newSha, closes: isGone });
      else if (isSame) store.jobs.moveRange(range.id, newRef);
      return canceled;
    };
    const effects = await database((store) =>
      store.transaction(() => {
        const job = store.jobs.get(range.id);
        return observed(store, job ? [job] : [], () => follow(store));
      }),
    );
    all.canceled.push(...effects.value);
    all.moved.push(...effects.moved);
    all.moving.push(...effects.moving);
    all.closed.push(...effects.closed);
  }
  return all;
}

const isTwin = (job: RangeJob, ref: string, reviewType: string | undefined) =>
  job.git_ref === ref && job.review_type === reviewType && !ended(job.status);

/** The hook queued it because of the rewrite; see remap-commit.ts. */
const isWithdrawn = (store: Store, twin: RangeJob) =>
  twin.source === "post_commit" && store.jobs.cancel(twin.id);

async function changesTheSame(
  cwd: string,
  base: string,
  { oldSha, newSha }: Pick<Rewritten, "oldSha" | "newSha">,
): Promise<boolean> {
  if ((await resolveCommit(cwd, oldSha)) === undefined) return false;
  const trees = await gitText(["rev-parse", `${oldSha}^{tree}`, `${newSha}^{tree}`], { cwd });
  const [before, after] = trees.split("\n");
  if (before !== after) return false;
  return base === (await emptyTree(cwd)) || isAncestor(cwd, base, newSha);
}
