import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { type DataPaths, dataPaths } from "../../src/config/paths.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { Session } from "../../src/reminder/state.ts";
import { openStore } from "../../src/store/open.ts";

export interface SeedSize {
  sessions: number;
  reviews: number;
  /** Of so many reviews of other branches one failed and is open. */
  onePerOpen: number;
  /** Of commits that `main` contains, and of branches that exist. */
  isContained?: boolean;
  /** All of `main`, and those that are not the first ones closed or passed. */
  isOnMain?: boolean;
}

/** The session whose events are timed; it stands in every seeded state. */
export const timedSession = "session-0";
/** Open failed reviews of the branch that is checked out: below the threshold of 4, so that every event stays silent. */
export const ownOpenReviews = 3;

const branches = 100;
/** Branches that exist, at `ahead`. Each of them costs an event one look at its file, some 2 µs. */
export const livingBranches = Array.from({ length: 5 }, (_, n) => `living/${n}`);

export interface SeedRepo {
  path: string;
  /** Of `main` without its last commit. */
  head: string;
  /** Of `main`. */
  ahead: string;
  /** Commits that `main` does not contain. */
  elsewhere: string[];
}

/** A data directory as a daemon leaves it that has worked for long. */
export async function seed(dataDir: string, repo: SeedRepo, size: SeedSize): Promise<void> {
  const paths = dataPaths(dataDir);
  mkdirSync(paths.hookDir, { recursive: true, mode: 0o700 });
  // Every turn is counted and none is answered with a reminder.
  writeFileSync(paths.config, "[agent_hook]\nturn_threshold = 0\n", { mode: 0o600 });
  seedSessions(paths, repo, size.sessions);
  await seedReviews(paths, repo, size);
}

function seedSessions(paths: DataPaths, { path, head }: SeedRepo, count: number): void {
  const sessions: Record<string, Session> = {};
  for (let n = 0; n < count; n++)
    sessions[`claude:session-${n}`] = session(n === 0 ? path : `${path}-${n % 50}`, head);
  const snapshot = { generation: crypto.randomUUID(), sessions };
  writeFileSync(paths.hookState, JSON.stringify(snapshot, null, 2), { mode: 0o600 });
}

/** About 1 KB, like one that has worked in a repository for a day. */
function session(repo: string, head: string): Session {
  const [here, main] = [`${repo}\0worktree\0${repo}`, `${repo}\0main`];
  const at = new Date().toISOString();
  return {
    count: 40,
    stop_counts_since_prompt: { [main]: 3 },
    commit_count: 12,
    commit_shas_since_prompt: { [main]: [head] },
    failed_review_count: ownOpenReviews,
    remind_count: 2,
    last_turn_id: crypto.randomUUID(),
    last_cwd: repo,
    last_commit_repo: repo,
    last_commit_head: head,
    last_failed_review_repo: repo,
    last_failed_review_branch: "main",
    repo_heads: { [here]: head, [main]: head },
    worktree_lineage_keys: { [here]: main },
    last_seen_at: at,
    triggered_at: at,
    failed_review_triggered_at: at,
    commit_triggered_at: at,
  };
}

async function seedReviews(paths: DataPaths, repo: SeedRepo, size: SeedSize): Promise<void> {
  const store = await openStore(paths.database, { clock: systemClock });
  const identity = `local://${repo.path}`;
  const { id: repoId } = store.repos.getOrCreate({ rootPath: repo.path, name: "repo", identity });
  store.close();
  using db = new Database(paths.database);
  db.run("PRAGMA synchronous = OFF");
  const addJob = db.query(
    `INSERT INTO review_jobs (uuid, repo_id, git_ref, branch, agent, status, enqueued_at, finished_at, prompt)
     VALUES (?, ?, ?, ?, 'codex', 'done', ?, ?, ?)`,
  );
  const addReview = db.query(
    `INSERT INTO reviews (job_id, uuid, agent, verdict_bool, closed, created_at, prompt, output)
     VALUES (?, ?, 'codex', ?, ?, ?, '', ?)`,
  );
  const text = "The change looks sound. ".repeat(20);
  const at = new Date().toISOString();
  const add = (branch: string, sha: string | undefined, isOpen: boolean, isClosed: boolean) => {
    const { lastInsertRowid } = addJob.run(crypto.randomUUID(), repoId, sha ?? "", branch, at, at, text);
    const isFailed = isOpen || isClosed;
    addReview.run(lastInsertRowid, crypto.randomUUID(), isFailed ? 0 : 1, isClosed ? 1 : 0, at, text);
  };
  db.transaction(() => {
    for (let n = 0; n < ownOpenReviews; n++) add("main", repo.head, true, false);
    for (let n = ownOpenReviews; n < size.reviews; n++) {
      if (size.isOnMain) {
        add("main", repo.head, false, n % 4 === 0);
        continue;
      }
      const isOpen = n % size.onePerOpen === 0;
      const branch = size.isContained
        ? (livingBranches[n % livingBranches.length] as string)
        : `feature/${n % branches}`;
      const sha = size.isContained ? repo.ahead : repo.elsewhere[n % repo.elsewhere.length];
      add(branch, sha, isOpen, !isOpen && n % 4 === 0);
    }
  })();
}
