import type { Database } from "bun:sqlite";

/** What every table family works with: one open connection, and time and randomness from outside. */
export interface StoreContext {
  db: Database;
  /** RFC 3339 in UTC with milliseconds: sorts as text. */
  now(): string;
  randomId(): string;
  /** `BEGIN IMMEDIATE`, or a savepoint inside a running transaction; rolled back when `work` throws. */
  transaction<T>(work: () => T): T;
}

/** The transaction runner of a connection. `work` is synchronous: it would be committed before a promise settles. */
export function transactionOf(db: Database): StoreContext["transaction"] {
  const run = db.transaction((work: () => unknown) => {
    const result = work();
    if (result instanceof Promise) throw new TypeError("a transaction takes synchronous work");
    return result;
  });
  return <T>(work: () => T) => run.immediate(work) as T;
}
