import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { openStore } from "../../../src/store/open.ts";
import { tempDir } from "../../support/temp.ts";
import { testClock } from "../store-fixture.ts";

// Made by hand from the documented columns of the Go program's May 2026 schema, with its quirks: empty strings for
// "none", SQL and Go spellings of time, a job type and tables that we do not have, no AUTOINCREMENT.
const goSchema = `
CREATE TABLE repos (id INTEGER PRIMARY KEY, root_path TEXT UNIQUE NOT NULL, name TEXT NOT NULL, identity TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE INDEX repos_identity ON repos (identity);
CREATE TABLE commits (id INTEGER PRIMARY KEY, repo_id INTEGER NOT NULL REFERENCES repos (id), sha TEXT NOT NULL,
  author TEXT NOT NULL, subject TEXT NOT NULL, timestamp TEXT NOT NULL, created_at TEXT, UNIQUE (repo_id, sha));
CREATE TABLE review_jobs (id INTEGER PRIMARY KEY, uuid TEXT, repo_id INTEGER NOT NULL REFERENCES repos (id),
  commit_id INTEGER REFERENCES commits (id), git_ref TEXT NOT NULL, branch TEXT, worktree_path TEXT DEFAULT '',
  job_type TEXT DEFAULT 'review', review_type TEXT DEFAULT '', source TEXT, agent TEXT NOT NULL, model TEXT,
  reasoning TEXT DEFAULT 'thorough', min_severity TEXT DEFAULT '', agentic INTEGER DEFAULT 0,
  status TEXT CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled', 'applied', 'rebased')),
  error TEXT, enqueued_at TEXT, started_at TEXT, finished_at TEXT, retry_count INTEGER DEFAULT 0, worker_id TEXT,
  prompt TEXT, diff_content TEXT, patch_id TEXT, token_usage TEXT, synced_at TEXT);
CREATE INDEX review_jobs_git_ref ON review_jobs (git_ref);
CREATE TABLE reviews (id INTEGER PRIMARY KEY, uuid TEXT, job_id INTEGER UNIQUE NOT NULL REFERENCES review_jobs (id),
  agent TEXT NOT NULL, prompt TEXT NOT NULL, output TEXT NOT NULL, verdict_bool INTEGER, closed INTEGER DEFAULT 0,
  created_at TEXT);
CREATE TABLE responses (id INTEGER PRIMARY KEY, uuid TEXT, job_id INTEGER REFERENCES review_jobs (id),
  commit_id INTEGER REFERENCES commits (id), responder TEXT NOT NULL, response TEXT NOT NULL, created_at TEXT);
CREATE TABLE sync_state (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE ci_batches (id INTEGER PRIMARY KEY, job_id INTEGER REFERENCES review_jobs (id));
CREATE TRIGGER touch AFTER UPDATE ON reviews BEGIN UPDATE reviews SET agent = agent WHERE id = NEW.id; END;

INSERT INTO repos VALUES (7, '/src/app', 'app', 'git@example.invalid:app', '2026-05-01 08:00:00');
INSERT INTO commits VALUES (3, 7, 'aaa', 'Ann', 'first', '2026-05-01T10:00:00+02:00', '2026-05-01 08:00:01');
INSERT INTO review_jobs (id, uuid, repo_id, commit_id, git_ref, branch, job_type, agent, status, enqueued_at, error)
VALUES (11, 'u11', 7, 3, 'aaa', 'main', 'review', 'codex', 'done', '2026-05-01 08:00:02', ''),
  (12, NULL, 7, NULL, 'aaa..bbb', '', NULL, 'codex', 'done', '2026-05-01T08:00:01.5Z', NULL),
  (13, '', 7, NULL, 'dirty', 'main', '', 'codex', 'done', '2026-05-01 08:00:03.25 +0000 UTC', NULL),
  (14, 'u14', 7, NULL, 'ccc', 'main', 'synthesis', 'codex', 'done', '2026-05-01 08:00:04', NULL),
  (15, 'u15', 7, NULL, 'ddd', 'main', 'classify', 'codex', 'queued', '2026-05-01 08:00:06', NULL),
  (16, 'u16', 7, NULL, 'eee', 'main', 'review', 'codex', 'queued', '2026-05-01T07:00:00Z', NULL),
  (17, 'u17', 7, NULL, 'fff', 'main', 'review', 'codex', 'running', '2026-05-01 08:00:07', NULL);
UPDATE review_jobs SET token_usage = '"{\\"peak\\":1}"' WHERE id = 11;
INSERT INTO reviews VALUES (21, 'r21', 11, 'codex', 'p', 'bad', 0, 0, '2026-05-01 08:01:00'),
  (22, NULL, 12, 'codex', 'p', 'bad', 0, 1, '2026-05-01 08:01:00'), (23, NULL, 13, 'codex', 'p', 'fine', 1, 0, NULL),
  (24, NULL, 14, 'codex', 'p', 'bad too', 0, 0, '2026-05-01 08:01:00');
INSERT INTO responses VALUES (31, 'c31', NULL, 3, 'dev', 'on the commit', '2026-05-01 09:00:00'),
  (32, NULL, 11, NULL, 'roborev-fix', 'on the job', '2026-05-01 08:30:00');
INSERT INTO sync_state VALUES ('machine_id', 'm1');
INSERT INTO ci_batches VALUES (1, 11);
`;

function goDatabase(path: string, schema = goSchema): Database {
  const db = new Database(path);
  db.run("PRAGMA journal_mode = WAL");
  db.run(schema);
  return db;
}

test("S08 the Go program's database keeps its ids, verdicts, closed flags and comments", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  goDatabase(path).close(true);
  const store = await openStore(path, { clock: testClock() });
  const jobs = store.jobs.list({}).jobs;
  expect(jobs.map(({ id, job_type, status }) => [id, job_type, status])).toEqual([
    [17, "review", "running"],
    [16, "review", "queued"],
    [15, "task", "queued"],
    [14, "compact", "done"],
    [13, "dirty", "done"],
    [12, "range", "done"],
    [11, "review", "done"],
  ]);
  const first = store.jobs.get(11)!;
  expect(first).toMatchObject({
    uuid: "u11",
    repo_id: 7,
    commit_subject: "first",
    verdict: "F",
    closed: false,
    enqueued_at: "2026-05-01T08:00:02.000Z",
    reasoning: "thorough",
    agentic: false,
  });
  for (const absent of ["error", "worktree_path", "review_type", "min_severity", "token_usage"])
    expect(first).not.toHaveProperty(absent);
  expect(store.jobs.get(12)).toMatchObject({ closed: true, uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(store.jobs.get(12)?.enqueued_at).toBe("2026-05-01T08:00:01.500Z");
  expect(store.jobs.get(13)).toMatchObject({ verdict: "P", enqueued_at: "2026-05-01T08:00:03.000Z" });
  expect(store.reviews.byJob(11)).toMatchObject({ id: 21, uuid: "r21", output: "bad", verdict_bool: 0 });
  expect(store.reviews.byJob(11)).not.toHaveProperty("findings"); // without them there is nothing to dispose of
  expect(store.comments.forJob(11).map(({ id, created_at }) => [id, created_at])).toEqual([
    [32, "2026-05-01T08:30:00.000Z"],
    [31, "2026-05-01T09:00:00.000Z"],
  ]);
  expect(store.repos.list()).toMatchObject([{ id: 7, root_path: "/src/app", active: true, job_count: 7 }]);
  expect(store.check()).toEqual([]);
  store.close();
});

test("S08 a migrated database works like a new one", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  goDatabase(path).close(true);
  const store = await openStore(path, { clock: testClock() });
  expect(store.jobs.openFailed(7).map((each) => each.jobId)).toEqual([11, 14]);
  store.reviews.setClosed(11, true, "user");
  expect(store.jobs.openFailed(7).map((each) => each.jobId)).toEqual([14]);
  expect(store.jobs.requeueRunning()).toBe(1);
  expect(store.jobs.claim("w")?.id).toBe(16); // by time, although its time was written in another format
  const job = { repoId: 7, gitRef: "x", jobType: "review", agent: "test", reasoning: "fast" } as const;
  expect(store.jobs.enqueue(job).job.id).toBe(18);
  store.close();
  using db = new Database(path, { readonly: true });
  expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(db.query("SELECT * FROM sync_state").all()).toEqual([{ key: "machine_id", value: "m1" }]);
  expect(db.query("SELECT * FROM ci_batches").all()).toEqual([{ id: 1, job_id: 11 }]);
  expect(db.query("SELECT sql FROM sqlite_master WHERE name = 'ci_batches'").get()).toEqual({
    sql: expect.stringContaining("REFERENCES review_jobs (id)"),
  });
  expect(db.query("SELECT name FROM sqlite_master WHERE name LIKE '%aside%'").all()).toEqual([]);
});

test("S08 a complete private copy is made first, with what was only in the write-ahead log", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const live = goDatabase(path); // still open: nothing has been written back from the log
  const store = await openStore(path, { clock: testClock() });
  const copy = store.kv.get("go_database_copy")!;
  store.close();
  live.close(true);
  expect(copy).toBe(`${path}.before-migration-2026-06-01T10-00-00-000Z`);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  using db = new Database(copy, { readonly: true });
  expect(db.query("SELECT count(*) AS n, max(synced_at) AS s FROM review_jobs").get()).toEqual({
    n: 7,
    s: null,
  });
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 0 });
  expect(readdirSync(dir.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  (await openStore(path, { clock: testClock("2026-07-01T00:00:00Z") })).close();
  expect(readdirSync(dir.path).filter((name) => name.includes("before-migration"))).toHaveLength(1);
});

test("S08 ids that the Go program gave to deleted jobs are not given again", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const db = goDatabase(
    path,
    goSchema.replace("TABLE review_jobs (id INTEGER PRIMARY KEY", "$& AUTOINCREMENT"),
  );
  db.run("INSERT INTO review_jobs (id, repo_id, git_ref, agent, status) VALUES (90, 7, 'x', 'a', 'done')");
  db.run("DELETE FROM review_jobs WHERE id = 90");
  db.close(true);
  const store = await openStore(path, { clock: testClock() });
  const job = { repoId: 7, gitRef: "x", jobType: "review", agent: "test", reasoning: "fast" } as const;
  expect(store.jobs.enqueue(job).job.id).toBe(91);
  store.close();
});

test("S08 an old database with few columns is migrated with what it has", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  goDatabase(
    path,
    `CREATE TABLE repos (id INTEGER PRIMARY KEY, root_path TEXT UNIQUE NOT NULL);
     CREATE TABLE review_jobs (id INTEGER PRIMARY KEY, repo_id INTEGER, git_ref TEXT, agent TEXT, status TEXT);
     CREATE TABLE reviews (id INTEGER PRIMARY KEY, job_id INTEGER, output TEXT);
     INSERT INTO repos VALUES (1, '/r');
     INSERT INTO review_jobs VALUES (5, 1, 'a..b', 'codex', 'done'), (6, 1, 'x', 'codex', 'strange');
     INSERT INTO reviews VALUES (1, 5, 'text');`,
  ).close(true);
  const store = await openStore(path, { clock: testClock() });
  expect(store.jobs.get(5)).toMatchObject({
    job_type: "range",
    status: "done",
    closed: false,
    repo_name: "/r",
  });
  expect(store.jobs.get(5)).not.toHaveProperty("verdict");
  expect(store.jobs.get(6)?.status).toBe("failed");
  store.close();
});

test("S08 a migration that fails changes nothing and says so", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const broken = goSchema.replace("job_id INTEGER UNIQUE NOT NULL", "job_id INTEGER NOT NULL");
  const db = goDatabase(path, broken);
  db.run(
    "INSERT INTO reviews (id, job_id, agent, prompt, output) VALUES (99, 11, 'a', 'p', 'a second review')",
  );
  db.close(true);
  await expect(openStore(path, { clock: testClock() })).rejects.toMatchObject({
    code: "E_DATABASE",
    message: expect.stringContaining(`cannot migrate ${path}`),
  });
  expect(readdirSync(dir.path)).toEqual(["reviews.db"]);
  using after = new Database(path, { readonly: true });
  expect(after.query("SELECT count(*) AS n FROM reviews").get()).toEqual({ n: 5 });
  expect(after.query("PRAGMA user_version").get()).toEqual({ user_version: 0 });
  expect(after.query("SELECT name FROM sqlite_master WHERE name = 'kv'").get()).toBeNull();
});
