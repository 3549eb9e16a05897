import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { checkDatabaseFile } from "../../src/store/check-file.ts";
import { tempDir } from "../support/temp.ts";

/** A database in WAL mode with some rows, still open. Its name has what an address gives a meaning to. */
function database(path: string): Database {
  const db = new Database(path, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE t (a)");
  db.run("CREATE TABLE repos (a)");
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

test("a database that no daemon of this version opens is refused with its reason, and looking changes nothing", () => {
  using dir = tempDir();
  const path = dir.join("a.db");
  const db = database(path);
  db.run("PRAGMA user_version = 999");
  db.close(true);
  const before = readFileSync(path);
  expect(checkDatabaseFile(path)).toMatchObject({
    ...{
      state: "refused",
      problem: expect.stringMatching(/was written by a newer roborev \(schema 999, this one/),
    },
    hint: expect.stringContaining("Install the newer roborev"),
  });
  expect(readFileSync(path)).toEqual(before);
  const foreign = new Database(dir.join("b.db"), { create: true });
  foreign.run("CREATE TABLE bookmarks (a)");
  foreign.close(true);
  expect(checkDatabaseFile(dir.join("b.db"))).toMatchObject({
    ...{ state: "refused", problem: `${dir.join("b.db")} is a database of another program` },
  });
});

test("a pipe, a device and a directory are told of, and nobody waits for them", () => {
  using dir = tempDir();
  expect(Bun.spawnSync(["mkfifo", dir.join("pipe")]).exitCode).toBe(0);
  symlinkSync("/dev/zero", dir.join("zero"));
  for (const path of [dir.join("pipe"), dir.join("zero"), dir.path])
    expect(checkDatabaseFile(path)).toEqual({ state: "unreadable", problem: "it is not a regular file" });
});
