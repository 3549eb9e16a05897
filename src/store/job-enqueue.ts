import type { StoreContext } from "./context.ts";
import type { NewJob } from "./job-input.ts";
import { type JobRow, jobFromRow, selectJob } from "./job-row.ts";
import type { JobType } from "./schema.ts";
import type { Jobs } from "./store.ts";

type Values = Record<string, string | number | null>;

/** A job's own columns, of which some are unknown. */
const valuesOf = (job: NewJob): Values => ({
  commitId: job.commitId ?? null,
  gitRef: job.gitRef,
  jobType: job.jobType,
  agent: job.agent,
  model: job.model || null,
  requestedModel: job.requestedModel || null,
  reasoning: job.reasoning,
  minSeverity: job.minSeverity ?? null,
  patchId: job.patchId || null,
  notBefore: job.notBefore?.toISOString() ?? null,
});

/** How a job comes into being and is read back. */
export function jobEnqueueOf({
  db,
  now,
  randomId,
  transaction,
}: StoreContext): Pick<Jobs, "enqueue" | "settling" | "replaceSettling" | "fillBranch" | "get"> {
  const byId = db.query<JobRow, [number]>(`${selectJob} WHERE j.id = ?`);
  const equal = db.query<{ id: number }, [number, string, JobType]>(
    `SELECT id FROM review_jobs
     WHERE git_ref = ?2 AND repo_id = ?1 AND job_type = ?3 AND status <> 'canceled' ORDER BY id DESC LIMIT 1`,
  );
  const upTo = db.query<{ id: number }, [number, string, string]>(
    `SELECT id FROM review_jobs INDEXED BY review_jobs_statistics
     WHERE repo_id = ?1 AND branch = ?2 AND job_type = 'range' AND status <> 'canceled' AND source = 'post_commit'
       AND git_ref LIKE '%..' || ?3 ORDER BY id DESC LIMIT 1`,
  );
  const insert = db.query<{ id: number }, [Values]>(
    `INSERT INTO review_jobs (uuid, repo_id, commit_id, git_ref, branch, worktree_path, job_type, review_type,
       source, agent, model, requested_model, reasoning, min_severity, diff_content, patch_id, retry_not_before, agentic,
       parent_job_id, prompt, status, enqueued_at, updated_at)
     VALUES ($uuid, $repoId, $commitId, $gitRef, $branch, $worktreePath, $jobType, $reviewType,
       $source, $agent, $model, $requestedModel, $reasoning, $minSeverity, $diffContent, $patchId, $notBefore, $agentic,
       $parentJobId, $prompt, 'queued', $now, $now)
     RETURNING id`,
  );
  // A retry has its time as well; one that was tried once is no longer waiting for the branch to come to rest.
  const isSettling = `status = 'queued' AND source = 'post_commit' AND retry_not_before > $now AND retry_count = 0
    AND error IS NULL AND job_type IN ('review', 'range') AND review_type IS NULL`;
  const settling = db.query<{ id: number }, [Values]>(
    `SELECT id FROM review_jobs WHERE repo_id = $repoId AND branch = $branch AND ${isSettling}
     ORDER BY id DESC LIMIT 1`,
  );
  const replace = db.query<unknown, [Values]>(
    `UPDATE review_jobs SET commit_id = $commitId, git_ref = $gitRef, job_type = $jobType, agent = $agent,
       model = $model, requested_model = $requestedModel, reasoning = $reasoning, min_severity = $minSeverity,
       patch_id = $patchId, retry_not_before = $notBefore, updated_at = $now
     WHERE id = $id AND git_ref = $seenRef AND ${isSettling}`,
  );

  const fillBranch = db.query<unknown, [{ id: number; branch: string; now: string }]>(
    "UPDATE review_jobs SET branch = $branch, updated_at = $now WHERE id = $id AND COALESCE(branch, '') = ''",
  );

  const get: Jobs["get"] = (id) => {
    const row = byId.get(id);
    return row === null ? undefined : jobFromRow(row);
  };

  /** A commit may also be the end of what was queued for its branch. */
  const repeated = ({ repoId, gitRef, jobType, branch }: NewJob) =>
    equal.get(repoId, gitRef, jobType) ??
    (jobType === "review" && branch ? upTo.get(repoId, branch, gitRef) : null);

  return {
    get,
    fillBranch: (id, branch) => fillBranch.run({ id, branch, now: now() }).changes > 0,
    enqueue: (job) =>
      transaction(() => {
        const known = job.source === "post_commit" ? repeated(job) : null;
        if (known !== null) return { job: get(known.id)!, duplicate: true };
        const added = insert.get({
          ...valuesOf(job),
          uuid: randomId(),
          now: now(),
          repoId: job.repoId,
          branch: job.branch || null,
          worktreePath: job.worktreePath || null,
          reviewType: job.reviewType || null,
          source: job.source || null,
          diffContent: job.diffContent ?? null,
          agentic: Number(job.fix !== undefined),
          parentJobId: job.fix?.parentJobId ?? null,
          prompt: job.fix?.prompt ?? null,
        });
        return { job: get(added!.id)!, duplicate: false };
      }),
    settling({ repoId, branch }) {
      const found = settling.get({ repoId, branch, now: now() });
      return found === null ? undefined : get(found.id);
    },
    replaceSettling: (seen, job) =>
      transaction(() => {
        const values = { ...valuesOf(job), id: seen.id, seenRef: seen.git_ref, now: now() };
        return replace.run(values).changes > 0 ? get(seen.id) : undefined;
      }),
  };
}
