import type { Database } from "bun:sqlite";
import { rm } from "node:fs/promises";
import type { Clock } from "../lib/clock.ts";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { transactionOf } from "./context.ts";
import { goDatabaseCopyKey } from "./kv.ts";
import { initial } from "./migrations/0001-initial.ts";
import { dispositions } from "./migrations/0003-dispositions.ts";
import { adoptGoDatabase, copyDatabase } from "./migrations/go-database.ts";
import { addSnoozes } from "./migrations/go-snoozes.ts";
import { isBusy, retryBusy } from "./retry-busy.ts";

/** Position n leads from `user_version` n to n + 1. Released entries never change. */
const migrations: ((db: Database) => void)[] = [
  (db) => db.run(initial),
  addSnoozes,
  (db) => db.run(dispositions),
];

/** Brings a database to the newest schema, each step in a transaction of its own; refuses what is not ours. */
export async function migrate(db: Database, path: string, clock: Clock): Promise<void> {
  const refusal = schemaRefusal(db, path);
  if (refusal !== undefined) throw refusal;
  const isOfGo = userVersion(db) === 0 && isOurs(db);
  // Tables are replaced one after another: references between them hold again only at the end.
  db.run("PRAGMA foreign_keys = OFF");
  if (isOfGo) await migrateGoDatabase(db, path, clock);
  for (let from = userVersion(db); from < migrations.length; from++) {
    await step(db, from, () => migrations[from]!(db));
  }
  db.run("PRAGMA foreign_keys = ON");
}

/** Why no daemon of this version opens this database: it is of a newer one, or of somebody else. Reads only. */
export function schemaRefusal(db: Database, path: string): RoborevError | undefined {
  const version = userVersion(db);
  if (version > migrations.length) {
    return new RoborevError(
      `${path} was written by a newer roborev (schema ${version}, this one knows ${migrations.length})`,
      { code: "E_DATABASE", hint: "Install the newer roborev again; nothing in the file was changed." },
    );
  }
  if (isOurs(db) || (version === 0 && tableNames(db).size === 0)) return undefined;
  return new RoborevError(`${path} is a database of another program`, {
    code: "E_DATABASE",
    hint: "Move it away, or choose another data directory with ROBOREV_DATA_DIR.",
  });
}

const isOurs = (db: Database): boolean => tableNames(db).has("repos");

async function migrateGoDatabase(db: Database, path: string, clock: Clock): Promise<void> {
  const copy = await copyDatabase(db, path, clock);
  // Renaming a table must not rewrite references that other tables hold by its name.
  db.run("PRAGMA legacy_alter_table = ON");
  try {
    await step(db, 0, () => {
      adoptGoDatabase(db, initial);
      db.query("INSERT INTO kv (key, value) VALUES (?, ?)").run(goDatabaseCopyKey, copy);
    });
  } catch (cause) {
    await rm(copy, { force: true }); // nothing was changed: every further try would leave another copy
    if (isBusy(cause) || cause instanceof RoborevError) throw cause;
    throw new RoborevError(`cannot migrate ${path}: ${errorMessage(cause)}`, {
      code: "E_DATABASE",
      hint: "Nothing was changed. Please report this; to start empty, move the file away.",
      cause,
    });
  }
  db.run("PRAGMA legacy_alter_table = OFF");
}

async function step(db: Database, from: number, work: () => void): Promise<void> {
  const transaction = transactionOf(db);
  await retryBusy(() =>
    transaction(() => {
      if (userVersion(db) !== from) return; // another process took this step while we waited for the lock
      work();
      db.run(`PRAGMA user_version = ${from + 1}`);
    }),
  );
}

function userVersion(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()!.user_version;
}

function tableNames(db: Database): Set<string> {
  const rows = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )
    .all();
  return new Set(rows.map((row) => row.name));
}
