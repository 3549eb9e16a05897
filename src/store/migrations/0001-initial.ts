// Large columns stand last: SQLite reads a row front to back, so a query that stops before them never loads them.
// Two columns are derived, and kept by the triggers below. `open_failed` is 1 exactly for a job whose failed review
// is still open and still counts: a hook's question is answered by its partial index alone. `review_closed` repeats
// `reviews.closed`, so that the statistics of a list come from one index instead of a join over every review.
const derive = (job: string) => `
  UPDATE review_jobs SET
    review_closed = (SELECT v.closed FROM reviews v WHERE v.job_id = ${job}),
    open_failed = status = 'done' AND job_type IN ('review', 'range', 'dirty', 'compact') AND superseded_by IS NULL
      AND EXISTS (SELECT 1 FROM reviews v WHERE v.job_id = ${job} AND v.verdict_bool = 0 AND v.closed = 0)
  WHERE id = ${job};`;

export const initial = `
CREATE TABLE repos (
  id INTEGER PRIMARY KEY,
  root_path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  identity TEXT,
  active INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL
);
CREATE INDEX repos_identity ON repos (identity) WHERE identity IS NOT NULL;

CREATE TABLE commits (
  id INTEGER PRIMARY KEY,
  repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
  sha TEXT NOT NULL,
  author TEXT NOT NULL,
  subject TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (repo_id, sha)
);
CREATE INDEX commits_sha ON commits (sha);

CREATE TABLE review_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
  commit_id INTEGER REFERENCES commits (id),
  git_ref TEXT NOT NULL,
  branch TEXT,
  worktree_path TEXT,
  job_type TEXT NOT NULL DEFAULT 'review',
  review_type TEXT,
  source TEXT,
  agent TEXT NOT NULL,
  model TEXT,
  provider TEXT,
  requested_model TEXT,
  requested_provider TEXT,
  reasoning TEXT NOT NULL DEFAULT 'thorough',
  min_severity TEXT,
  agentic INTEGER NOT NULL DEFAULT 0,
  prompt_prebuilt INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL CHECK (
    status IN ('queued', 'running', 'done', 'failed', 'canceled', 'applied', 'rebased', 'skipped')
  ),
  open_failed INTEGER NOT NULL DEFAULT 0,
  review_closed INTEGER,
  skip_reason TEXT,
  error TEXT,
  enqueued_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  updated_at TEXT,
  retry_count INTEGER NOT NULL DEFAULT 0,
  retry_not_before TEXT,
  worker_id TEXT,
  agent_pid INTEGER,
  agent_start_time TEXT,
  session_id TEXT,
  patch_id TEXT,
  parent_job_id INTEGER,
  superseded_by TEXT,
  pending_remap TEXT,
  attempted_agents TEXT,
  token_usage TEXT CHECK (token_usage IS NULL OR json_valid(token_usage)),
  evidence_json TEXT CHECK (evidence_json IS NULL OR json_valid(evidence_json)),
  command_line TEXT,
  output_prefix TEXT,
  prompt TEXT,
  diff_content TEXT,
  patch TEXT
);
CREATE INDEX review_jobs_queue ON review_jobs (status, enqueued_at, id);
CREATE INDEX review_jobs_repo ON review_jobs (repo_id);
CREATE INDEX review_jobs_statistics ON review_jobs (repo_id, branch, job_type, status, review_closed);
CREATE INDEX review_jobs_git_ref ON review_jobs (git_ref);
CREATE INDEX review_jobs_any_branch ON review_jobs (branch);
CREATE INDEX review_jobs_commit ON review_jobs (commit_id);
CREATE INDEX review_jobs_patch_id ON review_jobs (patch_id) WHERE patch_id IS NOT NULL;
CREATE INDEX review_jobs_parent ON review_jobs (parent_job_id) WHERE parent_job_id IS NOT NULL;
CREATE INDEX review_jobs_process ON review_jobs (agent_pid) WHERE agent_pid IS NOT NULL;
CREATE INDEX review_jobs_open_failed ON review_jobs (repo_id, branch) WHERE open_failed = 1;

CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL UNIQUE REFERENCES review_jobs (id) ON DELETE CASCADE,
  uuid TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  verdict_bool INTEGER CHECK (verdict_bool IN (0, 1)),
  closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
  closed_at TEXT,
  closed_by TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT,
  findings_json TEXT CHECK (findings_json IS NULL OR json_valid(findings_json)),
  prompt TEXT NOT NULL,
  output TEXT NOT NULL
);
CREATE INDEX reviews_state ON reviews (closed, verdict_bool);

CREATE TABLE review_attempts (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES review_jobs (id) ON DELETE CASCADE,
  agent TEXT NOT NULL,
  verdict_bool INTEGER,
  created_at TEXT NOT NULL,
  output TEXT NOT NULL
);
CREATE INDEX review_attempts_job ON review_attempts (job_id);

CREATE TABLE responses (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  job_id INTEGER REFERENCES review_jobs (id) ON DELETE CASCADE,
  commit_id INTEGER REFERENCES commits (id) ON DELETE CASCADE,
  responder TEXT NOT NULL,
  response TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX responses_job ON responses (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX responses_commit ON responses (commit_id) WHERE commit_id IS NOT NULL;

CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TRIGGER open_failed_job_changed
AFTER UPDATE OF status, job_type, superseded_by ON review_jobs BEGIN
  ${derive("NEW.id")}
END;
CREATE TRIGGER open_failed_review_added AFTER INSERT ON reviews BEGIN
  ${derive("NEW.job_id")}
END;
CREATE TRIGGER open_failed_review_changed AFTER UPDATE OF job_id, verdict_bool, closed ON reviews BEGIN
  ${derive("OLD.job_id")}
  ${derive("NEW.job_id")}
END;
CREATE TRIGGER open_failed_review_gone AFTER DELETE ON reviews BEGIN
  ${derive("OLD.job_id")}
END;
`;
