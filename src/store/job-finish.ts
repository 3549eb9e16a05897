import { RoborevError } from "../lib/errors.ts";
import type { StoreContext } from "./context.ts";
import { takePendingRemap } from "./rewrite.ts";
import type { JobType } from "./schema.ts";
import type { Jobs } from "./store.ts";

type Values = Record<string, string | number | Uint8Array | null>;

/** A job's review: stored with the change to `done` in one transaction, set aside when the job runs again. */
export function jobFinishOf({
  db,
  now,
  randomId,
  transaction,
}: StoreContext): Pick<Jobs, "complete" | "rerun"> {
  const finish = db.query<{ job_type: JobType }, [Values]>(
    `UPDATE review_jobs SET status = 'done', finished_at = $now, updated_at = $now, error = NULL,
       session_id = COALESCE($sessionId, session_id), token_usage = $tokenUsage, evidence_json = $evidence,
       patch = $patch, agent_pid = NULL, agent_start_time = NULL, ${takePendingRemap}
     WHERE id = $id AND status = 'running' AND worker_id = $workerId RETURNING job_type`,
  );
  const insert = db.query<unknown, [Values]>(
    `INSERT INTO reviews (job_id, uuid, agent, verdict_bool, created_at, updated_at, findings_json, prompt, output)
     VALUES ($id, $uuid, $agent, $verdict, $now, $now, $findings, $prompt, $output)`,
  );
  const keepAttempt = db.query<{ id: number }, [number]>(
    `INSERT INTO review_attempts (job_id, agent, verdict_bool, created_at, output, findings_json)
     SELECT job_id, agent, verdict_bool, created_at, output, findings_json FROM reviews WHERE job_id = ?
     RETURNING id`,
  );
  const keepDispositions = db.query<unknown, [{ id: number; attempt: number }]>(
    "UPDATE finding_dispositions SET attempt_id = $attempt WHERE job_id = $id AND attempt_id IS NULL",
  );
  const dropReview = db.query<unknown, [number]>("DELETE FROM reviews WHERE job_id = ?");
  const requeue = db.query<unknown, [{ id: number; now: string }]>(
    `UPDATE review_jobs SET status = 'queued', updated_at = $now, started_at = NULL, finished_at = NULL,
       worker_id = NULL, agent_pid = NULL, agent_start_time = NULL, retry_count = 0, retry_not_before = NULL,
       agent = COALESCE(json_extract(attempted_agents, '$[0]'), agent), attempted_agents = NULL,
       model = requested_model, provider = requested_provider, session_id = NULL,
       error = NULL, skip_reason = NULL, patch = NULL, command_line = NULL, token_usage = NULL, evidence_json = NULL,
       prompt = CASE WHEN job_type IN ('task', 'compact', 'fix', 'insights') THEN prompt END
     WHERE id = $id AND status IN ('done', 'failed', 'canceled', 'skipped')`,
  );

  return {
    complete(id, workerId, review) {
      // Reviewer failures are the worker's to report (`fail`); a stored review without text could pass as a verdict.
      if (review.output.trim() === "") {
        throw new RoborevError(`the review of job ${id} is empty`, { code: "E_EMPTY_REVIEW" });
      }
      return transaction(() => {
        const at = now();
        const job = finish.get({
          id,
          workerId,
          now: at,
          sessionId: review.sessionId ?? null,
          tokenUsage: review.tokenUsage === undefined ? null : JSON.stringify(review.tokenUsage),
          evidence: review.evidence === undefined ? null : JSON.stringify(review.evidence),
          patch: review.patch ?? null,
        });
        if (job === null) return false;
        const judged = job.job_type !== "task" && job.job_type !== "insights" && review.verdict !== undefined;
        insert.run({
          id,
          uuid: randomId(),
          agent: review.agent,
          verdict: judged ? Number(review.verdict === "P") : null,
          now: at,
          findings: JSON.stringify(review.findings),
          prompt: review.prompt,
          output: review.output,
        });
        return true;
      });
    },
    rerun: (id) =>
      transaction(() => {
        if (requeue.run({ id, now: now() }).changes === 0) return false;
        const attempt = keepAttempt.get(id);
        if (attempt === null) return true; // it never came to a review
        keepDispositions.run({ id, attempt: attempt.id });
        dropReview.run(id);
        return true;
      }),
  };
}
