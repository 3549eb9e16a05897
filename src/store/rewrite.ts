import type { StoreContext } from "./context.ts";
import type { Jobs } from "./store.ts";

/**
 * Part of every UPDATE that takes a job out of `running`: a commit that was rewritten while its review ran
 * (`pending_remap`) now gets its new SHA.
 */
export const takePendingRemap = `
  commit_id = CASE WHEN pending_remap IS NULL THEN commit_id ELSE (
    SELECT c.id FROM commits c WHERE c.repo_id = review_jobs.repo_id AND c.sha = review_jobs.pending_remap
  ) END,
  git_ref = COALESCE(pending_remap, git_ref),
  pending_remap = NULL`;

interface Candidate {
  id: number;
  running: number;
  /** The new SHA has a job of the same kind that is waiting, running or done. */
  replaced: number;
}

/** Reviews follow commits that were rewritten (amend, rebase). */
export function rewriteOf({ db, now, transaction }: StoreContext): Pick<Jobs, "remap" | "supersede"> {
  const candidates = db.query<
    Candidate,
    [{ repoId: number; oldSha: string; newSha: string; patchId: string }]
  >(
    `SELECT j.id, j.status = 'running' AS running, EXISTS (
       SELECT 1 FROM review_jobs n
       WHERE n.git_ref = $newSha AND n.repo_id = $repoId AND n.job_type = j.job_type
         AND n.review_type IS j.review_type AND n.status NOT IN ('canceled', 'failed', 'skipped')
     ) AS replaced
     FROM review_jobs j
     WHERE j.git_ref = $oldSha AND j.repo_id = $repoId AND (j.patch_id IS NULL OR j.patch_id = $patchId)
     ORDER BY j.id`,
  );
  const move = db.query<unknown, [Record<string, string | number>]>(
    `UPDATE review_jobs SET git_ref = $newSha, commit_id = $commitId, patch_id = $patchId, updated_at = $now
     WHERE id = $id`,
  );
  const moveLater = db.query<unknown, [Record<string, string | number>]>(
    "UPDATE review_jobs SET pending_remap = $newSha, patch_id = $patchId, updated_at = $now WHERE id = $id",
  );
  const supersedeOne = db.query<unknown, [Record<string, string | number>]>(
    "UPDATE review_jobs SET superseded_by = $newSha, updated_at = $now WHERE id = $id AND superseded_by IS NULL",
  );
  const supersede = db.query<{ id: number }, [Record<string, string | number>]>(
    `UPDATE review_jobs SET superseded_by = $newSha, updated_at = $now
     WHERE git_ref = $oldSha AND repo_id = $repoId AND superseded_by IS NULL RETURNING id`,
  );

  return {
    remap: ({ repoId, oldSha, newSha, patchId, commitId }) =>
      transaction(() => {
        let moved = 0;
        for (const { id, running, replaced } of candidates.all({ repoId, oldSha, newSha, patchId })) {
          if (replaced) {
            // `git commit --amend` runs post-commit before post-rewrite: the same patch is already under review
            // at its new SHA, and its findings must not count twice.
            supersedeOne.run({ id, newSha, now: now() });
            continue;
          }
          if (running) moveLater.run({ id, newSha, patchId, now: now() });
          else move.run({ id, newSha, patchId, commitId, now: now() });
          moved++;
        }
        return moved;
      }),
    supersede: ({ repoId, oldSha, newSha }) =>
      transaction(() => supersede.all({ repoId, oldSha, newSha, now: now() }).length),
  };
}
