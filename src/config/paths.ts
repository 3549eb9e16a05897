import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { UsageError } from "../lib/errors.ts";

type Environment = Record<string, string | undefined>;

/** Where everything mutable of this user lives. */
export interface DataPaths {
  dataDir: string;
  /** The global configuration file. */
  config: string;
  /** Held while a configuration file is changed. */
  configLock: string;
  database: string;
  /** Held by the daemon for life. */
  daemonLock: string;
  /** Held by whoever is starting a daemon, until it answers. */
  daemonStartLock: string;
  /** A hint for people and tools, never proof that a daemon lives. */
  daemonRecord: string;
  daemonLog: string;
  hookDir: string;
  hookState: string;
  hookJournal: string;
  missedCommits: string;
  postCommitLog: string;
  jobLogs: string;
  worktrees: string;
  /** Who fixes in which working tree now. */
  fixes: string;
  /** What the latest release was when that was last asked. */
  updateCheck: string;
  /** Held by an update. */
  updateLock: string;
}

/** `$ROBOREV_DATA_DIR`, else `~/.roborev`. A relative value would mean another directory per caller: refused. */
export function resolveDataDir(env: Environment = process.env): string {
  const given = env.ROBOREV_DATA_DIR?.trim();
  if (given) {
    if (!isAbsolute(given)) {
      throw new UsageError(`ROBOREV_DATA_DIR must be an absolute path, got ${given}`, { code: "E_DATA_DIR" });
    }
    return given;
  }
  const home = env.HOME?.trim() || homedir();
  if (isAbsolute(home)) return join(home, ".roborev");
  throw new UsageError(`HOME must be an absolute path, got ${home}`, { code: "E_DATA_DIR" });
}

export function dataPaths(dataDir: string): DataPaths {
  const hookDir = join(dataDir, "agent-hook");
  return {
    dataDir,
    config: join(dataDir, "config.toml"),
    configLock: join(dataDir, "config.lock.db"),
    database: join(dataDir, "reviews.db"),
    daemonLock: join(dataDir, "daemon.lock.db"),
    daemonStartLock: join(dataDir, "daemon.start.lock.db"),
    daemonRecord: join(dataDir, "daemon.json"),
    daemonLog: join(dataDir, "daemon.log"),
    hookDir,
    hookState: join(hookDir, "state.json"),
    hookJournal: join(hookDir, "state.journal"),
    missedCommits: join(dataDir, "missed-commits.jsonl"),
    postCommitLog: join(dataDir, "post-commit.log"),
    jobLogs: join(dataDir, "logs", "jobs"),
    worktrees: join(dataDir, "worktrees"),
    fixes: join(dataDir, "fixes"),
    updateCheck: join(dataDir, "update_check.json"),
    updateLock: join(dataDir, "update.lock.db"),
  };
}
