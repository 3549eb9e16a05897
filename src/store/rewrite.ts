import type { StoreContext } from "./context.ts";
import { withoutNulls } from "./row.ts";
import type { JobStatus } from "./schema.ts";
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

type Values = Record<string, string | number>;

/** Jobs of a commit, by its SHA or by the one that a running job is going to have. Two searches, each with its index. */
const ofOldCommit = `j.id IN (
  SELECT id FROM review_jobs WHERE git_ref = $oldSha AND pending_remap IS NULL AND repo_id = $repoId
  UNION ALL SELECT id FROM review_jobs WHERE status = 'running' AND pending_remap = $oldSha AND repo_id = $repoId)`;

interface RangeRow {
  id: number;
  git_ref: string;
  status: JobStatus;
  review_type: string | null;
  source: string | null;
}

type Rewrites = Pick<Jobs, "remap" | "supersede" | "ranges" | "nextRef" | "moveRange" | "supersedeRange">;

/** Reviews follow commits that were rewritten (amend, rebase). */
export function rewriteOf({ db, now, transaction }: StoreContext): Rewrites {
  const candidates = db.query<Candidate, [Values]>(
    `SELECT j.id, j.status = 'running' AS running, EXISTS (
       SELECT 1 FROM review_jobs n
       WHERE n.git_ref = $newSha AND n.repo_id = $repoId AND n.job_type = j.job_type
         AND n.review_type IS j.review_type AND n.status NOT IN ('canceled', 'failed', 'skipped')
     ) AS replaced
     FROM review_jobs j
     WHERE ${ofOldCommit} AND (j.patch_id IS NULL OR j.patch_id = $patchId)
     ORDER BY j.id`,
  );
  const move = db.query<unknown, [Values]>(
    `UPDATE review_jobs SET git_ref = $newSha, commit_id = $commitId, patch_id = $patchId, updated_at = $now
     WHERE id = $id`,
  );
  const moveLater = db.query<unknown, [Values]>(
    "UPDATE review_jobs SET pending_remap = $newSha, patch_id = $patchId, updated_at = $now WHERE id = $id",
  );
  const old = db.query<{ id: number }, [Values]>(
    `SELECT j.id FROM review_jobs j WHERE ${ofOldCommit} AND j.superseded_by IS NULL`,
  );
  const supersedeOne = db.query<unknown, [Values]>(
    "UPDATE review_jobs SET superseded_by = $newSha, updated_at = $now WHERE id = $id AND superseded_by IS NULL",
  );
  const closeOne = db.query<unknown, [Values]>(
    `UPDATE reviews SET closed = 1, closed_at = $now, closed_by = 'auto', updated_at = $now
     WHERE job_id = $id AND closed = 0`,
  );
  const ranges = db.query<RangeRow, [Values]>(
    `SELECT id, COALESCE(pending_remap, git_ref) AS git_ref, status, review_type, source FROM review_jobs
     WHERE repo_id = $repoId AND branch = $branch AND job_type = 'range' AND superseded_by IS NULL
     ORDER BY id`,
  );
  const nextRef = db.query<{ ref: string | null }, [number]>(
    "SELECT pending_remap AS ref FROM review_jobs WHERE id = ?",
  );
  const moveRange = db.query<unknown, [Values]>(
    `UPDATE review_jobs SET git_ref = iif(status = 'running', git_ref, $gitRef),
       pending_remap = iif(status = 'running', $gitRef, NULL), updated_at = $now WHERE id = $id`,
  );
  const supersede = (id: number, newSha: string, closes: boolean) => {
    supersedeOne.run({ id, newSha, now: now() });
    if (closes) closeOne.run({ id, now: now() });
  };

  return {
    remap: ({ repoId, oldSha, newSha, patchId, commitId, closes = false }) =>
      transaction(() => {
        let moved = 0;
        for (const { id, running, replaced } of candidates.all({ repoId, oldSha, newSha, patchId })) {
          if (replaced) {
            // `git commit --amend` runs post-commit before post-rewrite: the same patch is already under review
            // at its new SHA, and its findings must not count twice.
            supersede(id, newSha, closes);
            continue;
          }
          if (running) moveLater.run({ id, newSha, patchId, now: now() });
          else move.run({ id, newSha, patchId, commitId, now: now() });
          moved++;
        }
        return moved;
      }),
    supersede: ({ repoId, oldSha, newSha, closes = false }) =>
      transaction(() => {
        const ids = old.all({ repoId, oldSha }).map(({ id }) => id);
        for (const id of ids) supersede(id, newSha, closes);
        return ids.length;
      }),
    ranges: (place) => ranges.all({ ...place }).map(withoutNulls),
    nextRef: (id) => nextRef.get(id)?.ref ?? undefined,
    moveRange: (id, gitRef) => {
      moveRange.run({ id, gitRef, now: now() });
    },
    supersedeRange: (id, { newSha, closes = false }) => transaction(() => supersede(id, newSha, closes)),
  };
}
