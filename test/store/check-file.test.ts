import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { checkDatabaseFile } from "../../src/store/check-file.ts";
import { tempDir } from "../support/temp.ts";

/** A database in WAL mode with some rows, still open. Its name has what an address gives a meaning to. */
function database(path: string): Database {
  const db = new Database(path, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE t (a)");
  for (let row = 0; row < 200; row++) db.run("INSERT INTO t VALUES (randomblob(400))");
  return db;
}

test("a sound database is found sound, beside its writer and alone, and looking leaves nothing behind", () => {
  using dir = tempDir();
  const path = dir.join("a b?c#d%.db");
  const db = database(path);
  expect(checkDatabaseFile(path)).toMatchObject({ state: "sound" });
  db.run("INSERT INTO t VALUES (1)"); // it holds up nobody
  db.close(true);
  expect(checkDatabaseFile(path)).toMatchObject({ state: "sound" });
  expect(readdirSync(dir.path)).toEqual(["a b?c#d%.db"]);
});

test("what a killed writer left in its log counts as well", () => {
  using dir = tempDir();
  const db = database(dir.join("a.db"));
  for (const name of ["a.db", "a.db-wal"])
    writeFileSync(dir.join(name.replace("a", "b")), readFileSync(dir.join(name)));
  db.close(true);
  expect(checkDatabaseFile(dir.join("b.db"))).toMatchObject({ state: "sound" });
});

test("a damaged database, one that is none, and one that lost its file are told apart from none at all", () => {
  using dir = tempDir();
  const path = dir.join("a.db");
  expect(checkDatabaseFile(path)).toEqual({ state: "missing" });
  database(path).close(true);
  const bytes = readFileSync(path);
  bytes.fill(7, 5_000, 60_000);
  writeFileSync(path, bytes);
  expect(checkDatabaseFile(path)).toMatchObject({
    state: "damaged",
    problem: expect.stringContaining("page"),
  });
  writeFileSync(path, "nonsense".repeat(500));
  expect(checkDatabaseFile(path)).toMatchObject({ state: "damaged", problem: "file is not a database" });
  writeFileSync(dir.join("b.db-wal"), "log");
  expect(checkDatabaseFile(dir.join("b.db"))).toMatchObject({ state: "damaged" });
  writeFileSync(dir.join("b.db"), "x");
  truncateSync(dir.join("b.db"));
  expect(checkDatabaseFile(dir.join("b.db"))).toMatchObject({ state: "damaged" });
});

test("a database that another program holds is busy, not damaged", () => {
  using dir = tempDir();
  const path = dir.join("a.db");
  const db = new Database(path, { create: true });
  db.run("CREATE TABLE t (a)");
  db.run("BEGIN EXCLUSIVE");
  expect(checkDatabaseFile(path)).toMatchObject({ state: "busy" });
  db.close(true);
});
