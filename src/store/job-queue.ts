import type { StoreContext } from "./context.ts";
import { queuePausedKey } from "./kv.ts";
import { takePendingRemap } from "./rewrite.ts";
import type { ClaimOptions, Jobs, ReviewerProcess } from "./store.ts";

type Queue = Pick<
  Jobs,
  | "recordProcess"
  | "savePrompt"
  | "retry"
  | "fail"
  | "skip"
  | "release"
  | "failOver"
  | "cancel"
  | "letGo"
  | "orphanProcesses"
  | "interruptedRepos"
  | "requeueRunning"
> & { claim(workerId: string, options?: ClaimOptions): number | undefined };

type Values = Record<string, string | number | null>;

const owned = "WHERE id = $id AND status = 'running' AND worker_id = $workerId";
const unowned = "worker_id = NULL, started_at = NULL, agent_pid = NULL, agent_start_time = NULL";

/**
 * The states between enqueued and finished. Every change is one guarded UPDATE, so a worker whose job was
 * canceled, or taken back and claimed by another, changes nothing and gets false.
 */
export function jobQueueOf({ db, now, transaction }: StoreContext): Queue {
  // A process outlives its job when the job is canceled (the row changes first, then the group is killed) or its
  // daemon dies: it stays on record until the next claim or daemon start.
  // The first of the two subqueries leaves out repositories that have their share of the workers already; where nobody
  // else waits, the second one lets them have more.
  const oldest = (also: string) => `(
    SELECT id FROM review_jobs
    WHERE status = 'queued' AND (retry_not_before IS NULL OR retry_not_before <= $now)
      AND NOT EXISTS (SELECT 1 FROM kv WHERE key = '${queuePausedKey}' AND value = '1')
      AND id NOT IN (SELECT value FROM json_each($except)) ${also}
    ORDER BY enqueued_at, id LIMIT 1)`;
  const claim = db.query<{ id: number }, [Record<string, string | number>]>(
    `UPDATE review_jobs SET status = 'running', worker_id = $workerId, started_at = $now, updated_at = $now,
       finished_at = NULL, agent_pid = NULL, agent_start_time = NULL
     WHERE id = COALESCE(${oldest(`AND repo_id NOT IN (
       SELECT repo_id FROM review_jobs WHERE status = 'running' GROUP BY repo_id HAVING count(*) >= $perRepo)`)},
       ${oldest("")}) RETURNING id`,
  );
  const change = (assignments: string, where = owned) => {
    const statement = db.query<unknown, [Values]>(
      `UPDATE review_jobs SET ${assignments}, updated_at = $now ${where}`,
    );
    return (id: number, workerId: string, values: Values = {}) =>
      statement.run({ id, workerId, now: now(), ...values }).changes > 0;
  };
  const mine = "WHERE id = $id AND worker_id = $workerId AND status";
  const recordProcess = change(
    "agent_pid = $pid, agent_start_time = $startTime",
    `${mine} IN ('running', 'canceled')`,
  );
  const savePrompt = change("prompt = $prompt, command_line = $commandLine");
  const retry = change(
    `status = 'queued', retry_count = retry_count + 1, retry_not_before = $notBefore, error = $error,
     session_id = NULL, ${unowned}, ${takePendingRemap}`,
  );
  const finish = (status: "failed" | "skipped", column: "error" | "skip_reason") =>
    change(
      `status = '${status}', ${column} = $text, finished_at = $now, agent_pid = NULL, agent_start_time = NULL,
       ${takePendingRemap}`,
    );
  const fail = finish("failed", "error");
  const skip = finish("skipped", "skip_reason");
  const release = change(`status = 'queued', ${unowned}, ${takePendingRemap}`);
  const failOver = change(
    `status = 'queued', agent = $agent, model = $model, retry_count = 0, retry_not_before = NULL, error = $error,
     session_id = NULL, attempted_agents = json_insert(COALESCE(attempted_agents, '[]'), '$[#]', agent),
     ${unowned}, ${takePendingRemap}`,
    `${owned} AND agent <> $agent
       AND $agent NOT IN (SELECT value FROM json_each(COALESCE(attempted_agents, '[]')))`,
  );
  const letGo = change("worker_id = NULL, agent_pid = NULL, agent_start_time = NULL", `${mine} = 'canceled'`);
  const cancel = db.query<unknown, [{ id: number; now: string }]>(
    `UPDATE review_jobs SET status = 'canceled', finished_at = $now, updated_at = $now, ${takePendingRemap}
     WHERE id = $id AND status IN ('queued', 'running')`,
  );
  const processes = db.query<ReviewerProcess, []>(
    `SELECT agent_pid AS pid, agent_start_time AS startTime FROM review_jobs
     WHERE agent_pid IS NOT NULL AND agent_start_time IS NOT NULL`,
  );
  const requeue = db.query<{ id: number }, [{ now: string }]>(
    `UPDATE review_jobs SET status = 'queued', ${unowned}, updated_at = $now, ${takePendingRemap}
     WHERE status = 'running' RETURNING id`,
  );
  const interrupted = db.query<{ root: string }, []>(
    `SELECT DISTINCT r.root_path AS root FROM review_jobs j JOIN repos r ON r.id = j.repo_id
     WHERE j.status = 'running' OR (j.status = 'canceled' AND j.worker_id IS NOT NULL)`,
  );
  const forgetProcesses = db.query(
    "UPDATE review_jobs SET agent_pid = NULL, agent_start_time = NULL WHERE agent_pid IS NOT NULL",
  );
  const forgetWorkers = db.query(
    "UPDATE review_jobs SET worker_id = NULL WHERE status = 'canceled' AND worker_id IS NOT NULL",
  );

  return {
    claim: (workerId, { perRepo = Number.MAX_SAFE_INTEGER, except = [] } = {}) =>
      claim.get({ workerId, now: now(), perRepo, except: JSON.stringify(except) })?.id,
    recordProcess: (id, workerId, { pid, startTime }) => recordProcess(id, workerId, { pid, startTime }),
    savePrompt: (id, workerId, prompt, commandLine) => savePrompt(id, workerId, { prompt, commandLine }),
    retry: (id, workerId, error, notBefore) =>
      retry(id, workerId, { error, notBefore: notBefore.toISOString() }),
    fail: (id, workerId, error) => fail(id, workerId, { text: error }),
    skip: (id, workerId, reason) => skip(id, workerId, { text: reason }),
    release: (id, workerId) => release(id, workerId),
    failOver: (id, workerId, { agent, model }, error) =>
      failOver(id, workerId, { agent, model: model ?? null, error }),
    letGo: (id, workerId) => letGo(id, workerId),
    cancel: (id) => cancel.run({ id, now: now() }).changes > 0,
    orphanProcesses: () => processes.all(),
    interruptedRepos: () => interrupted.all().map(({ root }) => root),
    requeueRunning: () =>
      transaction(() => {
        const requeued = requeue.all({ now: now() }).length;
        forgetProcesses.run();
        forgetWorkers.run();
        return requeued;
      }),
  };
}
