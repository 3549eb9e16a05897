import { Database } from "bun:sqlite";
import type { Clock } from "../lib/clock.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";
import { commentsOf } from "./comments.ts";
import { commitsOf } from "./commits.ts";
import { type StoreContext, transactionOf } from "./context.ts";
import { dispositionsOf } from "./dispositions.ts";
import { prepareFile } from "./file.ts";
import { fixJobsOf } from "./fix-jobs.ts";
import { jobEnqueueOf } from "./job-enqueue.ts";
import { jobFactsOf } from "./job-facts.ts";
import { jobFinishOf } from "./job-finish.ts";
import { jobListOf } from "./job-list.ts";
import { jobQueueOf } from "./job-queue.ts";
import { keyValuesOf } from "./kv.ts";
import { migrate } from "./migrate.ts";
import { openFailedOf } from "./open-failed.ts";
import { reposOf } from "./repos.ts";
import { isBusy, retryBusy } from "./retry-busy.ts";
import { reviewsOf } from "./reviews.ts";
import { rewriteOf } from "./rewrite.ts";
import { snoozesOf } from "./snoozes.ts";
import type { Jobs, Store } from "./store.ts";

export interface OpenStoreOptions {
  clock: Clock;
  /** Default: random UUIDs. */
  randomId?: () => string;
}

/**
 * Opens `reviews.db`, creating or migrating it. What cannot be opened, is damaged or belongs to somebody else is
 * refused with `E_DATABASE` and left as it is; `E_BUSY` when another program holds it for more than 5 s.
 */
export async function openStore(path: string, options: OpenStoreOptions): Promise<Store> {
  const { clock, randomId = () => crypto.randomUUID() } = options;
  await prepareFile(path);
  let db: Database | undefined;
  try {
    const opened = new Database(path, { readwrite: true, create: true, strict: true });
    db = opened;
    db.run("PRAGMA busy_timeout = 50");
    const problems = await retryBusy(() => quickCheck(opened));
    if (problems.length > 0) throw damaged(path, problems[0]!);
    await migrate(db, path, clock);
    await retryBusy(() => useJournal(opened));
    db.run("PRAGMA synchronous = FULL");
    return storeOf({
      db,
      randomId,
      now: () => clock.now().toISOString(),
      transaction: transactionOf(db),
    });
  } catch (cause) {
    db?.close(true);
    throw openError(path, cause);
  }
}

/** WAL, so that readers and the writer do not wait for each other; DELETE where the file system cannot map memory. */
function useJournal(db: Database): void {
  const mode = db.query<{ journal_mode: string }, []>("PRAGMA journal_mode = WAL").get()?.journal_mode;
  if (mode !== "wal") db.run("PRAGMA journal_mode = DELETE");
}

function quickCheck(db: Database): string[] {
  const rows = db.query<{ quick_check: string }, []>("PRAGMA quick_check").all();
  return rows.map((row) => row.quick_check).filter((line) => line !== "ok");
}

function storeOf(context: StoreContext): Store {
  const { db, transaction } = context;
  const enqueue = jobEnqueueOf(context);
  const queue = jobQueueOf(context);
  const jobs: Jobs = {
    ...enqueue,
    ...queue,
    ...jobFinishOf(context),
    ...fixJobsOf(context),
    ...jobListOf(context),
    ...jobFactsOf(context),
    ...openFailedOf(context),
    ...rewriteOf(context),
    claim: (workerId, options) =>
      transaction(() => {
        const id = queue.claim(workerId, options);
        return id === undefined ? undefined : enqueue.get(id);
      }),
  };
  const { forget, ...snoozes } = snoozesOf(context);
  const written = db.query<{ rows: number }, []>("SELECT total_changes() AS rows");
  return {
    repos: reposOf(context, { onDelete: forget }),
    commits: commitsOf(context),
    jobs,
    reviews: reviewsOf(context),
    comments: commentsOf(context),
    dispositions: dispositionsOf(context),
    snoozes,
    kv: keyValuesOf(context),
    changes: () => written.get()?.rows ?? 0,
    transaction,
    check: () => quickCheck(db),
    close: () => db.close(true), // finalizes statements; the last connection empties the WAL into the file
  };
}

function openError(path: string, cause: unknown): RoborevError {
  if (cause instanceof RoborevError) return cause;
  const code = errorCode(cause) ?? "";
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(path, errorMessage(cause), cause);
  if (isBusy(cause)) {
    return new RoborevError(`${path} is held by another program`, { code: "E_BUSY", cause });
  }
  return new RoborevError(`cannot open ${path}: ${errorMessage(cause)}`, { code: "E_DATABASE", cause });
}

function damaged(path: string, detail: string, cause?: unknown): RoborevError {
  return new RoborevError(`${path} is damaged: ${detail}`, {
    code: "E_DATABASE",
    hint: "Nothing was changed. Move it and its -wal and -shm files away together, put a backup in its place or start empty.",
    cause,
  });
}
