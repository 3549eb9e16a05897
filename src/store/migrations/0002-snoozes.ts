export const snoozes = `
CREATE TABLE agent_hook_snoozes (
  repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
  worktree_path TEXT NOT NULL,
  branch TEXT NOT NULL,
  snoozed_until TEXT NOT NULL,
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (repo_id, worktree_path, branch)
) WITHOUT ROWID;
`;
