import type { StoreContext } from "./context.ts";
import type { Repos } from "./store.ts";

type Pair = {
  from: number;
  into: number;
};

/** What is done to a repository by its number. `onChange` is called inside each transaction, before anything is written. */
export function repoChangesOf(
  { db, transaction }: StoreContext,
  onChange: () => void,
): Pick<Repos, "rename" | "move" | "remove" | "merge" | "runningJob"> {
  const rename = db.query<unknown, [string, number]>("UPDATE repos SET name = ? WHERE id = ?");
  const move = db.query<unknown, [string, string, number]>(
    "UPDATE repos SET root_path = ?, identity = ? WHERE id = ?",
  );
  const remove = db.query<unknown, [number]>("DELETE FROM repos WHERE id = ?");
  const running = db.query<{ id: number }, [number]>(
    "SELECT id FROM review_jobs WHERE repo_id = ? AND status = 'running' ORDER BY id LIMIT 1",
  );
  // A commit that both have is one commit afterwards.
  const twins =
    "SELECT s.id, d.id AS twin FROM commits s JOIN commits d ON d.sha = s.sha AND d.repo_id = $into WHERE s.repo_id = $from";
  const joinCommits = ["review_jobs", "responses"].map((table) =>
    db.query<unknown, [Pair]>(
      `UPDATE ${table} SET commit_id = t.twin FROM (${twins}) t WHERE ${table}.commit_id = t.id`,
    ),
  );
  const dropTwins = db.query<unknown, [Pair]>(`DELETE FROM commits WHERE id IN (SELECT id FROM (${twins}))`);
  const moveCommits = db.query<unknown, [Pair]>("UPDATE commits SET repo_id = $into WHERE repo_id = $from");
  const moveJobs = db.query<{ id: number }, [Pair]>(
    "UPDATE review_jobs SET repo_id = $into WHERE repo_id = $from RETURNING id",
  );
  const change = <T>(work: () => T): T =>
    transaction(() => {
      onChange();
      return work();
    });

  return {
    rename: (id, name) => change(() => void rename.run(name, id)),
    move: (id, { rootPath, identity }) => change(() => void move.run(rootPath, identity, id)),
    remove: (id) => change(() => void remove.run(id)), // everything that hangs on it goes with it (ON DELETE CASCADE)
    merge: (from, into) =>
      change(() => {
        const pair = { from, into };
        for (const join of joinCommits) join.run(pair);
        dropTwins.run(pair);
        moveCommits.run(pair);
        const moved = moveJobs.all(pair).length;
        remove.run(from);
        return moved;
      }),
    runningJob: (id) => running.get(id)?.id,
  };
}
