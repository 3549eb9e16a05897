import { constants, Database } from "bun:sqlite";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { errorCode, errorMessage } from "../lib/errors.ts";
import { schemaRefusal } from "./migrate.ts";
import { isBusy } from "./retry-busy.ts";

/** How a database file stands. `problem`: the first one that SQLite names. */
export type FileCheck =
  | { state: "missing" }
  | { state: "sound"; bytes: number }
  | { state: "damaged" | "unreadable" | "busy"; problem: string }
  /** Sound, but no daemon of this version opens it. */
  | { state: "refused"; problem: string; hint: string };

/**
 * `PRAGMA quick_check` of `reviews.db` in a process that is not the daemon. Reads only, and beside a daemon: in WAL mode
 * readers and the writer do not wait for each other. Without a log of changes nothing is created beside the file.
 */
export function checkDatabaseFile(path: string): FileCheck {
  const file = statSync(path, { throwIfNoEntry: false });
  // Whoever opens a pipe waits for ever.
  if (file !== undefined && !file.isFile())
    return { state: "unreadable", problem: "it is not a regular file" };
  const bytes = file?.size;
  const logBytes = sizeOf(`${path}-wal`) ?? 0;
  if (bytes === undefined)
    return logBytes === 0
      ? { state: "missing" }
      : { state: "damaged", problem: "it is gone, its log is not" };
  if (bytes === 0 && logBytes > 0) return { state: "damaged", problem: "it is empty, its log is not" };
  let database: Database | undefined;
  try {
    // In WAL mode whoever has it open has its two companions too: without them it can be read as from a read-only disk.
    const isQuiet = isWal(path) && logBytes === 0 && sizeOf(`${path}-shm`) === undefined;
    const address = `${pathToFileURL(path)}${isQuiet ? "?immutable=1" : ""}`;
    database = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
    database.run("PRAGMA busy_timeout = 500");
    const rows = database.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").all();
    const said = rows.map((row) => row.quick_check).find((line) => line !== "ok");
    const problem = said?.replace(/^\*\*\* in database \w+ \*\*\*\s*/, "");
    if (problem !== undefined) return { state: "damaged", problem };
    const { message, hint = "" } = schemaRefusal(database, path) ?? {};
    return message === undefined ? { state: "sound", bytes } : { state: "refused", problem: message, hint };
  } catch (error) {
    const problem = errorMessage(error);
    if (isBusy(error)) return { state: "busy", problem };
    return {
      state: /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? "") ? "damaged" : "unreadable",
      problem,
    };
  } finally {
    database?.close();
  }
}

/** By the version numbers of its header, see https://www.sqlite.org/fileformat2.html#file_format_version_numbers. */
function isWal(path: string): boolean {
  const head = new Uint8Array(20);
  const file = openSync(path, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head[18] === 2 && head[19] === 2;
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
