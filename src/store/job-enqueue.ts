import type { StoreContext } from "./context.ts";
import { type JobRow, jobFromRow, selectJob } from "./job-row.ts";
import type { JobType } from "./schema.ts";
import type { Jobs } from "./store.ts";

/** How a job comes into being and is read back. */
export function jobEnqueueOf({
  db,
  now,
  randomId,
  transaction,
}: StoreContext): Pick<Jobs, "enqueue" | "get"> {
  const byId = db.query<JobRow, [number]>(`${selectJob} WHERE j.id = ?`);
  const equal = db.query<{ id: number }, [number, string, JobType]>(
    `SELECT id FROM review_jobs
     WHERE git_ref = ?2 AND repo_id = ?1 AND job_type = ?3 AND status <> 'canceled' ORDER BY id DESC LIMIT 1`,
  );
  const insert = db.query<{ id: number }, [Record<string, string | number | null>]>(
    `INSERT INTO review_jobs (uuid, repo_id, commit_id, git_ref, branch, worktree_path, job_type, review_type,
       source, agent, model, requested_model, reasoning, min_severity, diff_content, patch_id, status, enqueued_at,
       updated_at)
     VALUES ($uuid, $repoId, $commitId, $gitRef, $branch, $worktreePath, $jobType, $reviewType,
       $source, $agent, $model, $requestedModel, $reasoning, $minSeverity, $diffContent, $patchId, 'queued', $now, $now)
     RETURNING id`,
  );

  const get: Jobs["get"] = (id) => {
    const row = byId.get(id);
    return row === null ? undefined : jobFromRow(row);
  };

  return {
    get,
    enqueue: (job) =>
      transaction(() => {
        const known = job.source === "post_commit" ? equal.get(job.repoId, job.gitRef, job.jobType) : null;
        if (known !== null) return { job: get(known.id)!, duplicate: true };
        const added = insert.get({
          uuid: randomId(),
          now: now(),
          repoId: job.repoId,
          commitId: job.commitId ?? null,
          gitRef: job.gitRef,
          branch: job.branch || null,
          worktreePath: job.worktreePath || null,
          jobType: job.jobType,
          reviewType: job.reviewType || null,
          source: job.source || null,
          agent: job.agent,
          model: job.model || null,
          requestedModel: job.requestedModel || null,
          reasoning: job.reasoning,
          minSeverity: job.minSeverity ?? null,
          diffContent: job.diffContent ?? null,
          patchId: job.patchId || null,
        });
        return { job: get(added!.id)!, duplicate: false };
      }),
  };
}
