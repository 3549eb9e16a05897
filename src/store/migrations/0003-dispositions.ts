// A disposition belongs to the review that it was given on: while that is the job's review, `attempt_id` is NULL; when
// a rerun sets it aside, both go together, and the attempt keeps its findings, without which their numbers mean nothing.
export const dispositions = `
ALTER TABLE review_attempts
  ADD COLUMN findings_json TEXT CHECK (findings_json IS NULL OR json_valid(findings_json));

CREATE TABLE finding_dispositions (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES review_jobs (id) ON DELETE CASCADE,
  attempt_id INTEGER REFERENCES review_attempts (id) ON DELETE CASCADE,
  finding INTEGER NOT NULL CHECK (finding > 0),
  state TEXT NOT NULL CHECK (state IN ('fixed', 'refuted', 'deferred')),
  responder TEXT NOT NULL,
  message TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX finding_dispositions_job ON finding_dispositions (job_id, attempt_id);
CREATE INDEX finding_dispositions_attempt ON finding_dispositions (attempt_id) WHERE attempt_id IS NOT NULL;
`;
