import type { StoreContext } from "./context.ts";
import { withoutNulls } from "./row.ts";
import type { JobStatus, JobType } from "./schema.ts";
import type { Jobs } from "./store.ts";

interface Row {
  agent: string;
  job_type: JobType;
  status: JobStatus;
  verdict_bool: number | null;
  closed: number | null;
  retry_count: number;
  error: string | null;
  enqueued_at: string;
  started_at: string | null;
  finished_at: string | null;
  repo_name: string;
  repo_path: string;
}

export function jobFactsOf({ db }: StoreContext): Pick<Jobs, "newestId" | "facts"> {
  const newest = db.query<{ id: number | null }, []>("SELECT max(id) AS id FROM review_jobs");
  const facts = db.query<Row, [Record<string, string | number | null>]>(
    `SELECT j.agent, j.job_type, j.status, v.verdict_bool, v.closed, j.retry_count, j.error, j.enqueued_at,
       j.started_at, j.finished_at, r.name AS repo_name, r.root_path AS repo_path
     FROM review_jobs j JOIN repos r ON r.id = j.repo_id LEFT JOIN reviews v ON v.job_id = j.id
     WHERE j.id > $after AND j.id <= $upTo AND julianday(j.enqueued_at) >= julianday($since)
       AND ($repo IS NULL OR r.root_path = $repo) AND ($branch IS NULL OR j.branch = $branch)
     ORDER BY j.id`,
  );
  return {
    newestId: () => newest.get()?.id ?? 0,
    facts: ({ after, upTo, since, repo, branch }) =>
      facts
        .all({ after, upTo, since: since.toISOString(), repo: repo ?? null, branch: branch ?? null })
        .map(({ verdict_bool, closed, ...rest }) =>
          withoutNulls({
            ...rest,
            verdict:
              rest.status !== "done" || verdict_bool === null
                ? null
                : verdict_bool === 1
                  ? ("P" as const)
                  : ("F" as const),
            closed: closed === null ? null : closed === 1,
          }),
        ),
  };
}
