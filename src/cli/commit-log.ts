import { appendFile, rename, stat } from "node:fs/promises";
import type { DataPaths } from "../config/paths.ts";
import { ensureDataDirectory } from "../fs/private.ts";
import { errorCode } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";

export interface CommitLogEntry {
  repo: string;
  outcome: "ok" | "skip" | "fail";
  message: string;
}

export interface MissedCommit {
  repo: string;
  sha: string;
  branch: string;
}

const rotateBytes = 1024 * 1024;

/** One line about what a git hook did. At 1 MB the file becomes `….1`, of which there is one. */
export async function logCommit(paths: DataPaths, now: Date, entry: CommitLogEntry): Promise<void> {
  await ensureDataDirectory(paths.dataDir);
  const size = await stat(paths.postCommitLog).then(
    (found) => found.size,
    (error) => {
      if (errorCode(error) === "ENOENT") return 0;
      throw error;
    },
  );
  if (size >= rotateBytes) await rename(paths.postCommitLog, `${paths.postCommitLog}.1`);
  const message = truncateUtf8(singleLine(redactSecrets(entry.message)), 400);
  await appendLine(paths.postCommitLog, { ts: now.toISOString(), ...entry, message });
}

/** Leaves a commit for the daemon to pick up: it reads this file when it starts and every minute. */
export async function recordMissedCommit(paths: DataPaths, now: Date, commit: MissedCommit): Promise<void> {
  await ensureDataDirectory(paths.dataDir);
  await appendLine(paths.missedCommits, { ts: now.toISOString(), ...commit });
}

// One write of one line in append mode: concurrent commits do not mix.
const appendLine = (path: string, value: object) =>
  appendFile(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
