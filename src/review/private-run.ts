import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "../config/paths.ts";
import { tryLock } from "../fs/lock.ts";
import { ensureDataDirectory, ensurePrivateDirectory } from "../fs/private.ts";
import type { Clock } from "../lib/clock.ts";
import { RoborevError } from "../lib/errors.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { daemonMark, killMarked } from "./agents/marked-processes.ts";
import { killReviewerGroupNow } from "./agents/process-identity.ts";
import { recoverJobs } from "./recover-jobs.ts";

/** A data directory for one run without a daemon, within the user's: whatever it holds is gone afterwards. */
export interface PrivateRun extends AsyncDisposable {
  paths: DataPaths;
  store: Store;
}

interface Options {
  clock: Clock;
  /** What an earlier run left could not be removed. */
  onError(error: unknown): void;
}

/** What earlier runs left that died is cleared away first: reviewers, worktrees and files. */
export async function openPrivateRun(dataDir: string, options: Options): Promise<PrivateRun> {
  const directory = join(dataDir, "local");
  await ensureDataDirectory(dataDir);
  await ensurePrivateDirectory(directory);
  for (const name of await readdir(directory)) {
    if (name.endsWith(lockSuffix)) continue;
    await clearLeft(join(directory, name), options).catch(options.onError);
  }
  const path = join(directory, crypto.randomUUID());
  // Taken before there is anything to clear away.
  const lock = tryLock(`${path}${lockSuffix}`);
  if (lock === undefined) throw new RoborevError(`cannot lock ${path}`, { code: "E_LOCK" });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await rm(`${path}${lockSuffix}`, { force: true });
    lock.release();
  });
  await mkdir(path, { mode: 0o700 });
  stack.defer(() => rm(path, { recursive: true, force: true }));
  const paths = dataPaths(path);
  const store = await openStore(paths.database, options);
  stack.defer(() => store.close());
  // Whatever ends this process early, a second Ctrl-C for instance, leaves no reviewer behind.
  const leaveNothing = () => {
    store.jobs.orphanProcesses().forEach(killReviewerGroupNow);
    killMarked(daemonMark(path));
  };
  process.on("exit", leaveNothing);
  stack.defer(() => void process.off("exit", leaveNothing));
  const kept = stack.move();
  return { paths, store, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const lockSuffix = ".lock.db";

async function clearLeft(path: string, { clock, onError }: Options): Promise<void> {
  const lock = tryLock(`${path}${lockSuffix}`);
  if (lock === undefined) return; // it is at work
  try {
    const paths = dataPaths(path);
    const store = await openStore(paths.database, { clock });
    try {
      await recoverJobs(store, paths, onError);
    } finally {
      store.close();
    }
    await rm(path, { recursive: true, force: true });
    await rm(`${path}${lockSuffix}`, { force: true });
  } finally {
    lock.release();
  }
}
