// How the tables of the Go program become ours: which of its columns hold what, and what stands in where an older
// version of it had no such column. Its database stays, whole, in the copy that is made first.

export interface AdoptedColumn {
  /** Our name. */
  to: string;
  /** Their name, when it is another one. */
  from?: string;
  /** SQL that turns their value into ours; their value as it is by default. */
  as?: (value: string) => string;
  /** SQL for a table without this column; without it our own default applies. */
  otherwise?: string;
}

export interface AdoptedTable {
  name: string;
  columns: AdoptedColumn[];
}

const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
const uuid = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
  || substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

const plain = (...names: string[]): AdoptedColumn[] => names.map((to) => ({ to }));
/** '' meant "none". */
const optional = (...names: string[]): AdoptedColumn[] =>
  names.map((to) => ({ to, as: (value) => `NULLIF(${value}, '')` }));
const text = (to: string, fallback: string): AdoptedColumn => ({
  to,
  as: (value) => `COALESCE(${value}, ${fallback})`,
  otherwise: fallback,
});
const flag = (to: string): AdoptedColumn => ({
  to,
  as: (value) => `COALESCE(${value}, 0) <> 0`,
  otherwise: "0",
});

/** `YYYY-MM-DD HH:MM:SS`, RFC 3339 with an offset, and Go's `… +0000 UTC` become RFC 3339 UTC; the rest stays. */
export const asTime = (value: string) => `COALESCE(strftime('%Y-%m-%dT%H:%M:%fZ', ${value}),
  CASE WHEN ${value} LIKE '% +0000 UTC%' THEN strftime('%Y-%m-%dT%H:%M:%fZ', substr(${value}, 1, 19)) END, ${value})`;
const times = (...names: string[]): AdoptedColumn[] => names.map((to) => ({ to, as: asTime }));
const requiredTime = (to: string): AdoptedColumn => ({
  to,
  as: (value) => `COALESCE(${asTime(value)}, ${now})`,
  otherwise: now,
});
const requiredUuid: AdoptedColumn = {
  to: "uuid",
  as: (value) => `COALESCE(NULLIF(${value}, ''), ${uuid})`,
  otherwise: uuid,
};

const inferredType = `CASE WHEN git_ref = 'dirty' THEN 'dirty' WHEN instr(git_ref, '..') > 0 THEN 'range' ELSE 'review' END`;

const jobType: AdoptedColumn = {
  to: "job_type",
  // A synthesis judges the code as the reviews did that it merges; other kinds that we do not have judge nothing.
  as: (value) => `CASE
    WHEN ${value} IN ('review', 'range', 'dirty', 'task', 'insights', 'compact', 'fix') THEN ${value}
    WHEN ${value} = 'synthesis' THEN 'compact'
    WHEN COALESCE(${value}, '') = '' THEN ${inferredType}
    ELSE 'task' END`,
  otherwise: inferredType,
};

const status: AdoptedColumn = {
  to: "status",
  as: (value) => `CASE WHEN ${value} IN
    ('queued', 'running', 'done', 'failed', 'canceled', 'applied', 'rebased', 'skipped')
    THEN ${value} ELSE 'failed' END`,
};

const minSeverity: AdoptedColumn = {
  to: "min_severity",
  as: (value) => `CASE WHEN ${value} IN ('critical', 'high', 'medium', 'low') THEN ${value} END`,
};

const tokenUsage: AdoptedColumn = {
  to: "token_usage",
  as: (value) => `CASE WHEN json_valid(${value}) THEN CASE WHEN json_type(${value}, '$.input') = 'integer'
    AND json_type(${value}, '$.cached') = 'integer' AND json_type(${value}, '$.output') = 'integer'
    THEN ${value} END END`,
};

export const adoptedTables: AdoptedTable[] = [
  {
    name: "repos",
    columns: [
      ...plain("id", "root_path"),
      text("name", "root_path"),
      ...optional("identity"),
      requiredTime("created_at"),
    ],
  },
  {
    name: "commits",
    columns: [
      ...plain("id", "repo_id", "sha"),
      text("author", "''"),
      text("subject", "''"),
      requiredTime("timestamp"),
      requiredTime("created_at"),
    ],
  },
  {
    name: "review_jobs",
    columns: [
      ...plain("id", "repo_id", "commit_id", "parent_job_id", "prompt", "diff_content", "patch"),
      text("git_ref", "''"),
      requiredUuid,
      ...optional("branch", "worktree_path", "review_type", "source", "model", "provider", "requested_model"),
      ...optional("requested_provider", "skip_reason", "error", "worker_id", "session_id", "patch_id"),
      ...optional("command_line", "output_prefix"),
      jobType,
      status,
      minSeverity,
      tokenUsage,
      text("agent", "''"),
      text("reasoning", "'thorough'"),
      text("retry_count", "0"),
      flag("agentic"),
      flag("prompt_prebuilt"),
      requiredTime("enqueued_at"),
      ...times("started_at", "finished_at", "updated_at"),
    ],
  },
  {
    name: "reviews",
    columns: [
      ...plain("id", "job_id"),
      requiredUuid,
      text("agent", "''"),
      text("prompt", "''"),
      text("output", "''"),
      {
        to: "verdict_bool",
        as: (value) => `CASE WHEN output <> '' AND ${value} IN (0, 1) THEN ${value} END`,
      },
      flag("closed"),
      requiredTime("created_at"),
      ...times("updated_at"),
    ],
  },
  {
    name: "responses",
    columns: [
      ...plain("id", "job_id", "commit_id"),
      requiredUuid,
      text("responder", "''"),
      text("response", "''"),
      requiredTime("created_at"),
    ],
  },
];
