import type { Database } from "bun:sqlite";
import { snoozes } from "./0002-snoozes.ts";
import { asTime } from "./go-columns.ts";
import { columnsOf } from "./go-database.ts";

type Values = Record<string, string | number | null>;

const table = "agent_hook_snoozes";
const needed = ["repo_id", "worktree_path", "branch", "snoozed_until", "updated_at"];

/**
 * Creates the table of snoozes. A database that came from the Go program may hold one of this name, which the first
 * migration left alone: its rows are kept where we understand them, and a snooze that is lost ends a quiet time early.
 */
export function addSnoozes(db: Database): void {
  const rows = theirSnoozes(db);
  db.run(`DROP TABLE IF EXISTS ${table}`);
  db.run(snoozes);
  const insert = db.query<unknown, [Values]>(
    `INSERT OR IGNORE INTO ${table} (repo_id, worktree_path, branch, snoozed_until, updated_at)
     VALUES ($repoId, $worktreePath, $branch, $until, $since)`,
  );
  for (const row of rows) insert.run(row);
}

function theirSnoozes(db: Database): Values[] {
  const columns = columnsOf(db, table);
  if (needed.some((name) => !columns.has(name))) return [];
  return db
    .query<Values, []>(
      `SELECT repo_id AS repoId, worktree_path AS worktreePath, COALESCE(branch, '') AS branch,
         ${asTime("snoozed_until")} AS until, ${asTime("updated_at")} AS since
       FROM ${table} WHERE repo_id IN (SELECT id FROM repos)`,
    )
    .all();
}
