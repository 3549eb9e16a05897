import type { StoreContext } from "./context.ts";
import type { Commits } from "./store.ts";

export function commitsOf({ db, now, transaction }: StoreContext): Commits {
  const find = db.query<{ id: number }, [number, string]>(
    "SELECT id FROM commits WHERE repo_id = ? AND sha = ?",
  );
  const insert = db.query<{ id: number }, [number, string, string, string, string, string]>(
    `INSERT INTO commits (repo_id, sha, author, subject, timestamp, created_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  return {
    getOrCreate: ({ repoId, sha, author, subject, timestamp }) =>
      transaction(() => {
        const row = find.get(repoId, sha) ?? insert.get(repoId, sha, author, subject, timestamp, now());
        return row!.id;
      }),
  };
}
