import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import type { RoborevError } from "../../src/lib/errors.ts";
import { openStore } from "../../src/store/open.ts";
import { tempDir } from "../support/temp.ts";
import { storeFixture, testClock } from "./store-fixture.ts";

const clock = testClock();

async function refusal(path: string): Promise<RoborevError> {
  try {
    (await openStore(path, { clock })).close();
  } catch (error) {
    return error as RoborevError;
  }
  throw new Error(`${path} was opened`);
}

test("a new database is private, durable and sound", async () => {
  using f = await storeFixture();
  f.enqueue();
  for (const suffix of ["", "-wal", "-shm"]) expect(statSync(f.path + suffix).mode & 0o777).toBe(0o600);
  using other = new Database(f.path, { readonly: true });
  expect(other.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(f.store.check()).toEqual([]);
});

test("a database that others could read is narrowed", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  (await openStore(path, { clock })).close();
  chmodSync(path, 0o644);
  (await openStore(path, { clock })).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("everything is there after closing and opening again, and closing leaves one file", async () => {
  using f = await storeFixture();
  const id = f.reviewed();
  f.store.close();
  expect(readdirSync(f.dir.path)).toEqual(["reviews.db"]);
  const again = await openStore(f.path, { clock });
  expect(again.jobs.get(id)).toMatchObject({ id, status: "done", verdict: "F" });
  again.close();
});

test("a damaged database is refused by name and left as it is", async () => {
  using f = await storeFixture();
  f.store.transaction(() => {
    for (let n = 0; n < 500; n++) f.enqueue({ gitRef: `${n}`.repeat(20) });
  });
  f.store.close();
  const bytes = readFileSync(f.path);
  bytes.fill(0xab, 8192, bytes.length - 4096);
  writeFileSync(f.path, bytes);
  const error = await refusal(f.path);
  expect(error).toMatchObject({ code: "E_DATABASE" });
  expect(error.message).toStartWith(`${f.path} is damaged: `);
  expect(error.hint).toContain("backup");
  expect(readFileSync(f.path)).toEqual(bytes);
  expect(readdirSync(f.dir.path)).toEqual(["reviews.db"]);
});

test("a file that is no database is refused and left as it is", async () => {
  using dir = tempDir({ "reviews.db": "not a database\n".repeat(500) });
  const error = await refusal(dir.join("reviews.db"));
  expect(error).toMatchObject({ code: "E_DATABASE" });
  expect(error.message).toContain("is damaged");
  expect(readFileSync(dir.join("reviews.db"), "utf8")).toBe("not a database\n".repeat(500));
});

test("S08 a database of a newer roborev is refused and left as it is", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  (await openStore(path, { clock })).close();
  const newer = new Database(path);
  newer.run("PRAGMA user_version = 999");
  newer.close(true);
  const bytes = readFileSync(path);
  const error = await refusal(path);
  expect(readFileSync(path)).toEqual(bytes);
  expect(error).toMatchObject({ code: "E_DATABASE" });
  expect(error.message).toContain("newer roborev (schema 999");
});

test("a database of another program is refused and left as it is", async () => {
  using dir = tempDir();
  for (const version of [0, 1]) {
    const path = dir.join(`other${version}.db`);
    const other = new Database(path);
    other.run(`CREATE TABLE notes (text); PRAGMA user_version = ${version}`);
    other.close(true);
    const before = readFileSync(path);
    expect((await refusal(path)).message).toContain("another program");
    expect(readFileSync(path)).toEqual(before);
  }
});

test("a database with our version but without our tables is refused", async () => {
  using f = await storeFixture();
  f.store.close();
  const db = new Database(f.path);
  db.run("DROP TABLE responses");
  db.close(true);
  const error = await refusal(f.path);
  expect(error).toMatchObject({ code: "E_DATABASE" });
  expect(error.message).toContain("no such table: responses");
});

test("a lost database whose log is still there is refused before SQLite deletes the log", async () => {
  using f = await storeFixture();
  f.enqueue();
  const wal = readFileSync(`${f.path}-wal`);
  using dir = tempDir();
  const path = dir.join("reviews.db");
  writeFileSync(`${path}-wal`, wal);
  expect((await refusal(path)).message).toContain("write-ahead log is not");
  writeFileSync(path, "");
  truncateSync(path);
  expect((await refusal(path)).message).toContain("write-ahead log is not");
  expect(readFileSync(`${path}-wal`)).toEqual(wal);
});

test("what is not a regular file of ours, or cannot be created, is refused", async () => {
  using dir = tempDir();
  mkdirSync(dir.join("reviews.db"));
  expect((await refusal(dir.join("reviews.db"))).message).toContain("is not a regular file");
  const missing = await refusal(dir.join("missing", "reviews.db"));
  expect(missing).toMatchObject({ code: "E_DATABASE" });
  expect(missing.message).toContain(dir.join("missing", "reviews.db"));
});

test("two processes' worth of opening at the same time creates one schema", async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const stores = await Promise.all([1, 2, 3].map(() => openStore(path, { clock })));
  for (const store of stores) store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "" });
  expect(stores[0]!.repos.list()).toHaveLength(1);
  for (const store of stores) store.close();
});
