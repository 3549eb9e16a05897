import type { Database } from "bun:sqlite";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "../../fs/atomic.ts";
import type { Clock } from "../../lib/clock.ts";
import { retryBusy } from "../retry-busy.ts";
import { type AdoptedTable, adoptedTables } from "./go-columns.ts";

/** The copy that `adoptGoDatabase` wants beside the database: complete, synced, private. Returns its path. */
export async function copyDatabase(db: Database, path: string, clock: Clock): Promise<string> {
  const stamp = clock.now().toISOString().replaceAll(/[:.]/g, "-");
  const copy = `${path}.before-migration-${stamp}`;
  const partial = `${copy}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  // VACUUM INTO accepts an empty file: made by us, it has our mode. It reads what is still in the WAL, too.
  await (await open(partial, "wx", 0o600)).close();
  try {
    await retryBusy(() => db.query("VACUUM INTO ?").run(partial), { clock });
    await syncFile(partial);
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
  return copy;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Turns the tables of the Go program into ours (`schema`), inside the caller's transaction: each is set aside, its
 * rows go into the new table with their ids, and it is dropped. Tables that we do not know are left alone.
 */
export function adoptGoDatabase(db: Database, schema: string): void {
  const present = adoptedTables.filter((table) => columnsOf(db, table.name).size > 0);
  for (const { name } of present) setAside(db, name);
  db.run(schema);
  for (const table of present) copyRows(db, table);
  keepSequence(db);
  for (const { name } of present) db.run(`DROP TABLE ${asideName(name)}`);
}

const asideName = (table: string) => `go_${table}_aside`;

function setAside(db: Database, table: string): void {
  // Their names would clash with ours; both go down with their table anyway.
  const attached = db
    .query<{ type: string; name: string }, [string]>(
      "SELECT type, name FROM sqlite_master WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL",
    )
    .all(table);
  for (const { type, name } of attached) db.run(`DROP ${type.toUpperCase()} "${name.replaceAll('"', '""')}"`);
  db.run(`ALTER TABLE ${table} RENAME TO ${asideName(table)}`);
}

function copyRows(db: Database, table: AdoptedTable): void {
  const theirs = columnsOf(db, asideName(table.name));
  const targets: string[] = [];
  const values: string[] = [];
  for (const { to, from = to, as = (value: string) => value, otherwise } of table.columns) {
    const value = theirs.has(from) ? as(from) : otherwise;
    if (value === undefined) continue;
    targets.push(to);
    values.push(value);
  }
  db.run(
    `INSERT INTO ${table.name} (${targets.join(", ")})
     SELECT ${values.join(", ")} FROM ${asideName(table.name)} ORDER BY id`,
  );
}

/** Ids of jobs that the Go program deleted are not given to new jobs. */
function keepSequence(db: Database): void {
  db.run(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'review_jobs', 0
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'review_jobs')`,
  );
  db.query(
    `UPDATE sqlite_sequence
     SET seq = max(seq, COALESCE((SELECT max(seq) FROM sqlite_sequence WHERE name = ?), 0))
     WHERE name = 'review_jobs'`,
  ).run(asideName("review_jobs"));
}

export function columnsOf(db: Database, table: string): Set<string> {
  const rows = db.query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)").all(table);
  return new Set(rows.map((row) => row.name));
}
