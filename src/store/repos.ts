import { belowDirectory } from "./below-directory.ts";
import type { StoreContext } from "./context.ts";
import { repoChangesOf } from "./repo-changes.ts";
import { withoutNulls } from "./row.ts";
import type { Repo } from "./schema.ts";
import type { RepoFilter, Repos } from "./store.ts";

interface RepoRow {
  id: number;
  root_path: string;
  name: string;
  identity: string | null;
  active: number;
  created_at: string;
}

const maxRemembered = 512;

const fromRow = <R extends RepoRow>(row: R) => withoutNulls({ ...row, active: row.active === 1 });

interface RepoEvents {
  /** A repository was deleted, with everything that hangs on it; its id may be given again. */
  onDelete(): void;
}

export function reposOf(context: StoreContext, { onDelete }: RepoEvents): Repos {
  const { db, now, transaction } = context;
  const byRoot = db.query<RepoRow, [string]>("SELECT * FROM repos WHERE root_path = ?");
  const insert = db.query("INSERT INTO repos (root_path, name, identity, created_at) VALUES (?, ?, ?, ?)");
  const refresh = db.query("UPDATE repos SET active = 1, identity = ? WHERE id = ?");
  const deactivate = db.query("UPDATE repos SET active = 0 WHERE id = ?");
  const remove = db.query("DELETE FROM repos WHERE id = ?");
  const hasJobs = db.query<{ found: number }, [number]>(
    "SELECT EXISTS (SELECT 1 FROM review_jobs WHERE repo_id = ?) AS found",
  );
  const list = ({ prefix, branch }: RepoFilter): (RepoRow & { job_count: number })[] => {
    const below = prefix === undefined ? { sql: "1", values: [] } : belowDirectory(prefix);
    return db
      .query<RepoRow & { job_count: number }, (string | null)[]>(
        `SELECT * FROM (
           SELECT r.*, (SELECT count(*) FROM review_jobs j
             WHERE j.repo_id = r.id AND (?1 IS NULL OR coalesce(j.branch, '') = ?1)) AS job_count FROM repos r)
         WHERE (?1 IS NULL OR job_count > 0) AND ${below.sql} ORDER BY name, id`,
      )
      .all(branch ?? null, ...below.values);
  };

  // Every event of every session asks, and only the functions below ever change the answer: the daemon is the one
  // writer. What a transaction sees is not remembered, since it may be rolled back.
  const remembered = new Map<string, Repo | undefined>();

  const read = (rootPath: string): Repo | undefined => {
    const row = byRoot.get(rootPath);
    return row === null ? undefined : fromRow(row);
  };

  const findByRoot = (rootPath: string): Repo | undefined => {
    if (db.inTransaction) return read(rootPath);
    const known = remembered.get(rootPath);
    if (known !== undefined || remembered.has(rootPath)) return known;
    const repo = read(rootPath);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(rootPath, repo && Object.freeze(repo));
    return repo;
  };

  return {
    ...repoChangesOf(context, () => {
      remembered.clear();
      onDelete();
    }),
    findByRoot,
    getOrCreate: ({ rootPath, name, identity }) =>
      transaction(() => {
        remembered.clear();
        const known = byRoot.get(rootPath);
        const wanted = identity || known?.identity || null;
        if (known === null) insert.run(rootPath, name, wanted, now());
        else if (known.active !== 1 || known.identity !== wanted) refresh.run(wanted, known.id);
        return findByRoot(rootPath)!;
      }),
    list: (filter = {}) => list(filter).map(fromRow),
    unregister: (rootPath, { purge }) =>
      transaction(() => {
        remembered.clear();
        const known = byRoot.get(rootPath);
        if (known === null) return "unknown";
        if (purge || hasJobs.get(known.id)?.found !== 1) {
          remove.run(known.id); // everything that hangs on it goes with it (ON DELETE CASCADE)
          onDelete();
          return "deleted";
        }
        deactivate.run(known.id);
        return "deactivated";
      }),
  };
}
