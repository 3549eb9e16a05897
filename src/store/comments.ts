import type { StoreContext } from "./context.ts";
import { withoutNulls } from "./row.ts";
import type { Comments } from "./store.ts";

interface CommentRow {
  id: number;
  uuid: string;
  job_id: number | null;
  commit_id: number | null;
  responder: string;
  response: string;
  created_at: string;
}

export function commentsOf({ db, now, randomId }: StoreContext): Comments {
  const insert = db.query<CommentRow, [string, string, string, string, number]>(
    `INSERT INTO responses (uuid, job_id, responder, response, created_at)
     SELECT ?1, id, ?2, ?3, ?4 FROM review_jobs WHERE id = ?5 RETURNING *`,
  );
  // Older data hangs comments on the commit instead of the job. UNION drops what both ways lead to.
  const forJob = db.query<CommentRow, [number]>(
    `SELECT * FROM responses WHERE job_id = ?1
     UNION
     SELECT * FROM responses WHERE commit_id = (SELECT commit_id FROM review_jobs WHERE id = ?1 AND job_type <> 'fix')
     ORDER BY created_at, id`,
  );
  const forCommits = db.query<CommentRow, [string]>(
    `SELECT * FROM responses WHERE commit_id IN (SELECT value FROM json_each(?1))
     UNION
     SELECT * FROM responses WHERE job_id IN (
       SELECT id FROM review_jobs WHERE commit_id IN (SELECT value FROM json_each(?1)) AND job_type <> 'fix')
     ORDER BY created_at, id`,
  );
  const commits = db.query<{ id: number }, [Record<string, string | number | null>]>(
    `SELECT c.id FROM commits c JOIN repos r ON r.id = c.repo_id
     WHERE (c.id = $id OR c.sha = $sha) AND ($repo IS NULL OR r.root_path = $repo)`,
  );
  return {
    add({ jobId, responder, response }) {
      const row = insert.get(randomId(), responder, response, now(), jobId);
      return row === null ? undefined : withoutNulls(row);
    },
    forCommit(commit) {
      const found = commits.all({
        id: null,
        sha: null,
        ...commit,
        repo: "sha" in commit ? (commit.repo ?? null) : null,
      });
      if (found.length === 0) return undefined;
      return forCommits.all(JSON.stringify(found.map(({ id }) => id))).map(withoutNulls);
    },
    forJob: (jobId) => forJob.all(jobId).map(withoutNulls),
  };
}
