import type { StoreContext } from "./context.ts";
import { findingsReader } from "./dispositions.ts";
import { type JobRow, jobFromRow, selectListedJob } from "./job-row.ts";
import { withoutNulls } from "./row.ts";
import type { Review } from "./schema.ts";
import type { Reviews } from "./store.ts";

interface ReviewRow {
  id: number;
  job_id: number;
  uuid: string;
  agent: string;
  prompt: string;
  output: string;
  verdict_bool: number | null;
  findings_json: string | null;
  closed: number;
  closed_at: string | null;
  closed_by: string | null;
  created_at: string;
  updated_at: string | null;
}

interface AttemptRow {
  id: number;
  agent: string;
  output: string;
  findings_json: string | null;
  created_at: string;
}

export function reviewsOf({ db, now }: StoreContext): Reviews {
  const byJob = db.query<ReviewRow, [number]>("SELECT * FROM reviews WHERE job_id = ?");
  const jobOf = db.query<JobRow, [number]>(`${selectListedJob} WHERE j.id = ?`);
  const outlines = db.query<JobRow & { findings_json: string | null; start: string }, [string]>(
    `SELECT o.*, w.findings_json, substr(w.output, 1, 2000) AS start
     FROM (${selectListedJob} WHERE j.id IN (SELECT value FROM json_each(?))) o
     JOIN reviews w ON w.job_id = o.id ORDER BY o.id`,
  );
  const newest = db.query<{ id: number }, [string, string | null]>(
    `SELECT j.id FROM review_jobs j JOIN reviews v ON v.job_id = j.id JOIN repos r ON r.id = j.repo_id
     WHERE j.git_ref = ?1 AND (?2 IS NULL OR r.root_path = ?2) ORDER BY j.id DESC LIMIT 1`,
  );
  const allOfRef = db.query<{ id: number }, [string, number, number]>(
    `SELECT j.id FROM review_jobs j JOIN reviews v ON v.job_id = j.id
     WHERE j.git_ref = ? AND j.repo_id = ? ORDER BY j.id DESC LIMIT ?`,
  );
  const closedAt = db.query<{ at: string | null }, [number]>(
    "SELECT iif(closed, closed_at, '') AS at FROM reviews WHERE job_id = ?",
  );
  const setClosed = db.query<unknown, [Record<string, string | number | null>]>(
    `UPDATE reviews SET closed = $closed, closed_at = $at, closed_by = $by, updated_at = $now
     WHERE job_id = $jobId AND closed <> $closed`,
  );
  const attempts = db.query<AttemptRow, [number]>(
    "SELECT id, agent, output, findings_json, created_at FROM review_attempts WHERE job_id = ? ORDER BY id DESC",
  );
  const findings = findingsReader({ db });

  const read = (jobId: number): Review | undefined => {
    const row = byJob.get(jobId);
    const job = jobOf.get(jobId);
    if (row === null || job === null) return undefined;
    const { findings_json, closed, ...rest } = row;
    return withoutNulls({
      ...rest,
      closed: closed === 1,
      findings: findings(findings_json, { jobId, attemptId: null }),
      job: jobFromRow(job),
    });
  };

  return {
    byJob: read,
    outlines: (jobIds) =>
      outlines.all(JSON.stringify(jobIds)).map(({ findings_json, start, ...row }) => {
        const found = findings(findings_json, { jobId: row.id, attemptId: null });
        return { job: jobFromRow(row), start, ...(found === null ? {} : { findings: found }) };
      }),
    byRef(gitRef, repo) {
      const found = newest.get(gitRef, repo ?? null);
      return found === null ? undefined : read(found.id);
    },
    allByRef: (gitRef, { repoId, limit }) =>
      allOfRef.all(gitRef, repoId, limit).flatMap(({ id }) => read(id) ?? []),
    closedAt(jobId) {
      const row = closedAt.get(jobId);
      return row === null ? undefined : (row.at ?? "");
    },
    setClosed(jobId, closed, by) {
      if (closedAt.get(jobId) === null) return false;
      const at = now();
      setClosed.run({
        jobId,
        closed: Number(closed),
        at: closed ? at : null,
        by: closed ? by : null,
        now: at,
      });
      return true;
    },
    attempts: (jobId) =>
      attempts
        .all(jobId)
        .map(({ id, findings_json, ...rest }) =>
          withoutNulls({ ...rest, findings: findings(findings_json, { jobId, attemptId: id }) }),
        ),
  };
}
