import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { initial } from "../../../src/store/migrations/0001-initial.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Store } from "../../../src/store/store.ts";
import { tempDir } from "../../support/temp.ts";
import { testClock } from "../store-fixture.ts";

const clock = testClock();
const repo =
  "INSERT INTO repos (id, root_path, name, created_at) VALUES (7, '/src/app', 'app', '2026-01-01')";

/** Opens a database that was made by `sql` before there were snoozes. */
async function opened(sql: string, look: (store: Store) => void): Promise<void> {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const db = new Database(path);
  db.run(sql);
  db.close(true);
  const store = await openStore(path, { clock });
  try {
    look(store);
    expect(store.check()).toEqual([]);
  } finally {
    store.close();
  }
  using after = new Database(path, { readonly: true });
  expect(after.query("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(after.query("PRAGMA user_version").get()).toEqual({ user_version: 3 });
}

/** What the Go program made of it, with its own spellings of time, and rows that nobody can use. */
const goTable = `
CREATE TABLE agent_hook_snoozes (repo_id INTEGER NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
  worktree_path TEXT NOT NULL, branch TEXT NOT NULL, snoozed_until TEXT NOT NULL,
  updated_at TEXT NOT NULL DEFAULT (datetime('now')), PRIMARY KEY (repo_id, worktree_path, branch));
CREATE INDEX agent_hook_snoozes_until ON agent_hook_snoozes (snoozed_until);
INSERT INTO agent_hook_snoozes VALUES
  (7, '/src/app', 'main', '2026-06-01T12:00:00.123456789Z', '2026-06-01 09:00:00'),
  (7, '/src/app', '', '2026-06-01 14:00:00.5 +0000 UTC', '2026-06-01 09:00:00'),
  (7, '/src/app', 'offset', '2026-06-01T14:30:00+02:00', 'not a time'),
  (7, '/src/app', 'past', '2026-06-01T09:59:59Z', '2026-06-01 09:00:00'),
  (7, '/src/app', 'odd', 'tomorrow', '2026-06-01 09:00:00'),
  (8, '/src/gone', 'main', '2026-06-01T12:00:00Z', '2026-06-01 09:00:00');`;

const kept = {
  "": "2026-06-01T14:00:00.000Z",
  main: "2026-06-01T12:00:00.123Z",
  offset: "2026-06-01T12:30:00.000Z",
};

const deadlines = (store: Store) =>
  Object.fromEntries(
    store.snoozes.active(clock.now()).map(({ branch, snoozed_until }) => [branch, snoozed_until]),
  );

const works = (store: Store) => {
  const until = new Date("2026-06-01T20:00:00Z");
  store.snoozes.set({ repoId: 7, worktreePath: "/w", branch: "new", until });
  expect(store.snoozes.until(7, "/w", "new", clock.now())).toEqual(until);
};

test("63 a database of before snoozes gets the table", async () => {
  await opened(`${initial} ${repo}; PRAGMA user_version = 1`, (store) => {
    expect(store.snoozes.active(clock.now())).toEqual([]);
    works(store);
  });
});

const goDatabase = `
CREATE TABLE repos (id INTEGER PRIMARY KEY, root_path TEXT UNIQUE NOT NULL, name TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (datetime('now')));
INSERT INTO repos (id, root_path, name) VALUES (7, '/src/app', 'app');`;

test("63 a database of the Go program gets the table", async () => {
  await opened(goDatabase, works);
});

test("63 the snoozes of the Go program are kept, whatever way their times are written", async () => {
  await opened(`${goDatabase} ${goTable}`, (store) => {
    expect(deadlines(store)).toEqual(kept);
    for (const [branch, until] of Object.entries(kept))
      expect(store.snoozes.until(7, "/src/app", branch, clock.now())).toEqual(new Date(until));
    works(store);
    store.repos.unregister("/src/app", { purge: true });
    expect(store.snoozes.active(clock.now())).toEqual([]);
  });
});

test("63 they are kept as well where the rest of that database was taken over by an earlier release", async () => {
  await opened(`${initial} ${repo}; ${goTable} PRAGMA user_version = 1`, (store) => {
    expect(deadlines(store)).toEqual(kept);
    works(store);
  });
});

test("63 a table of that name with other columns gives way", async () => {
  const other = `CREATE TABLE agent_hook_snoozes (id INTEGER PRIMARY KEY, repo_id INTEGER, expires_at TEXT);
    INSERT INTO agent_hook_snoozes VALUES (1, 7, '2030-01-01');`;
  await opened(`${goDatabase} ${other}`, (store) => {
    expect(deadlines(store)).toEqual({});
    works(store);
  });
});
