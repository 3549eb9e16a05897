import { belowDirectory } from "./below-directory.ts";
import type { StoreContext } from "./context.ts";
import { type JobRow, jobFromRow, selectListedJob } from "./job-row.ts";
import type { JobStatus } from "./schema.ts";
import type { JobFilter, JobPage, Jobs } from "./store.ts";

const defaultLimit = 50;
const maxLimit = 10_000;

interface Condition {
  sql: string;
  values: (string | number)[];
}

/** Of a fix the agent's answer is kept where others have their review: there is nothing to close. */
const isReview = "j.job_type <> 'fix'";

/** What the filter says, status and paging aside. */
function conditionsOf(filter: JobFilter): Condition[] {
  const conditions: Condition[] = [];
  const add = (sql: string, value: string | number | undefined) => {
    if (value !== undefined) conditions.push({ sql, values: [value] });
  };
  add("j.repo_id = (SELECT id FROM repos WHERE root_path = ?)", filter.repo);
  if (filter.repo === undefined && filter.repoPrefix !== undefined) {
    const { sql, values } = belowDirectory(filter.repoPrefix);
    conditions.push({ sql: `j.repo_id IN (SELECT id FROM repos WHERE ${sql})`, values });
  }
  add("j.git_ref = ?", filter.gitRef);
  add("j.job_type = 'range' AND j.git_ref LIKE '%..' || ?", filter.rangeEnd);
  add(
    filter.branchIncludeEmpty ? "(j.branch = ? OR j.branch IS NULL)" : "j.branch IS NULLIF(?, '')",
    filter.branch,
  );
  add("j.job_type = ?", filter.jobType);
  add("j.job_type <> ?", filter.exceptJobType);
  if (filter.closed !== undefined) {
    const sql = filter.closed ? "j.review_closed = 1" : "j.review_closed IS NOT 1";
    conditions.push({ sql: `${sql} AND ${isReview}`, values: [] });
  }
  return conditions;
}

function whereOf(conditions: Condition[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.map((condition) => condition.sql).join(" AND ")}`;
}

const valuesOf = (conditions: Condition[]) => conditions.flatMap(({ values }) => values);

export function jobListOf({ db }: StoreContext): Pick<Jobs, "list" | "listed" | "counts" | "branches"> {
  const byStatus = db.query<{ status: JobStatus; count: number }, []>(
    "SELECT status, count(*) AS count FROM review_jobs GROUP BY status",
  );

  const branchesWhere = (condition: string) =>
    `SELECT coalesce(branch, '') AS name, count(*) AS count FROM review_jobs ${condition}
     GROUP BY name ORDER BY max(id) DESC, name`;
  const allBranches = db.query<{ name: string; count: number }, []>(branchesWhere(""));
  const branches = db.query<{ name: string; count: number }, [string]>(
    branchesWhere(
      "WHERE repo_id IN (SELECT id FROM repos WHERE root_path IN (SELECT value FROM json_each(?)))",
    ),
  );

  const named = db.query<JobRow, [string]>(
    `${selectListedJob} WHERE j.id IN (SELECT value FROM json_each(?)) ORDER BY j.id`,
  );

  const page = (filter: JobFilter, limit: number): JobRow[] => {
    const conditions = conditionsOf(filter);
    if (filter.status !== undefined) conditions.push({ sql: "j.status = ?", values: [filter.status] });
    if (filter.before !== undefined) conditions.push({ sql: "j.id < ?", values: [filter.before] });
    // Ids first: their order comes from an index or a narrow sort, and only one page of rows is read and joined.
    return db
      .query<JobRow, (string | number)[]>(
        `${selectListedJob} WHERE j.id IN (
           SELECT j.id FROM review_jobs j ${whereOf(conditions)} ORDER BY j.id DESC LIMIT ? OFFSET ?
         ) ORDER BY j.id DESC`,
      )
      .all(...valuesOf(conditions), limit + 1, filter.offset ?? 0);
  };

  const stats = (filter: JobFilter): JobPage["stats"] => {
    const conditions = conditionsOf(filter);
    const row = db
      .query<JobPage["stats"], (string | number)[]>(
        `SELECT count(*) FILTER (WHERE j.status = 'done' AND ${isReview}) AS done,
           count(*) FILTER (WHERE j.review_closed = 1 AND ${isReview}) AS closed,
           count(*) FILTER (WHERE j.review_closed = 0 AND ${isReview}) AS open
         FROM review_jobs j ${whereOf(conditions)}`,
      )
      .get(...valuesOf(conditions));
    return row!;
  };

  return {
    list(filter) {
      const wanted = filter.limit ?? defaultLimit;
      const limit = wanted <= 0 ? maxLimit : Math.min(wanted, maxLimit);
      const rows = page(filter, limit);
      return {
        jobs: rows.slice(0, limit).map(jobFromRow),
        hasMore: rows.length > limit,
        stats: stats(filter),
      };
    },
    listed: (ids) => named.all(JSON.stringify(ids)).map(jobFromRow),
    branches: (rootPaths) => (rootPaths ? branches.all(JSON.stringify(rootPaths)) : allBranches.all()),
    counts() {
      const counts: Record<JobStatus, number> = {
        queued: 0,
        running: 0,
        done: 0,
        failed: 0,
        canceled: 0,
        applied: 0,
        rebased: 0,
        skipped: 0,
      };
      for (const { status, count } of byStatus.all()) counts[status] = count;
      return counts;
    },
  };
}
