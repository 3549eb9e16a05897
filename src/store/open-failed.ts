import type { StoreContext } from "./context.ts";
import type { JobType } from "./schema.ts";
import type { Jobs, OpenFailedReview } from "./store.ts";

interface OpenFailedRow {
  id: number;
  job_type: JobType;
  git_ref: string;
  branch: string | null;
  worktree_path: string | null;
}

// INDEXED BY: without statistics SQLite may prefer an index over all jobs of the repository, which is a thousand
// times slower; with it the query fails loudly should the index ever not apply.
// Exported for the test that asks SQLite for its plan.
export const openFailedQuery = `SELECT id, job_type, git_ref, branch, worktree_path
  FROM review_jobs INDEXED BY review_jobs_open_failed WHERE open_failed = 1 AND repo_id = ?1`;

const fromRow = (row: OpenFailedRow): OpenFailedReview => ({
  jobId: row.id,
  jobType: row.job_type,
  gitRef: row.git_ref,
  branch: row.branch ?? "",
  worktreePath: row.worktree_path ?? "",
});

/** What every hook event asks: answered from the partial index that the schema's triggers keep; oldest first. */
export function openFailedOf({ db }: StoreContext): Pick<Jobs, "openFailed" | "settled"> {
  const ofRepo = db.query<OpenFailedRow, [number]>(openFailedQuery);
  const stillOpen = db.query<{ id: number }, [string]>(
    "SELECT id FROM review_jobs WHERE id IN (SELECT value FROM json_each(?)) AND open_failed = 1",
  );
  const byAge = (rows: OpenFailedRow[]) => rows.sort((a, b) => a.id - b.id).map(fromRow);

  return {
    openFailed: (repoId) => byAge(ofRepo.all(repoId)),
    settled(ids) {
      const open = new Set(stillOpen.all(JSON.stringify(ids)).map((row) => row.id));
      return new Set(ids.filter((id) => !open.has(id)));
    },
  };
}
