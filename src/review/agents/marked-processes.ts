import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { runMarkName } from "../../lib/run-mark.ts";
import type { ReviewerProcess } from "../../store/store.ts";
import { killRemaining, startTimeOf } from "./process-identity.ts";

/** Mark of a daemon's reviewers: the same for every daemon of a data directory, and for no other's. */
export const daemonMark = (dataDir: string): string =>
  `${new Bun.CryptoHasher("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 24)}/`;

/** Mark of everything that is run for one job. */
export const jobMark = (dataDir: string, jobId: number): string => `${daemonMark(dataDir)}${jobId}-`;

/** Mark of one run of a reviewer. */
export const runMark = (dataDir: string, jobId: number): string =>
  `${jobMark(dataDir, jobId)}${crypto.randomUUID().slice(0, 8)}`;

const maxRounds = 10;

/**
 * SIGKILL to every process whose mark begins so, whatever session it moved to and whoever is its parent by now. Linux
 * only; elsewhere the environment of a process is not to be seen.
 */
export function killMarked(mark: string): void {
  if (process.platform !== "linux") return;
  // They may be starting others while we look, and one that is just becoming another program shows no environment.
  let emptyRounds = 0;
  for (let round = 0; round < maxRounds && emptyRounds < 2; round++) {
    const found = marked(mark);
    emptyRounds = found.length === 0 ? emptyRounds + 1 : 0;
    killRemaining(found);
  }
}

function marked(mark: string): ReviewerProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && carries(name, mark))
    .flatMap((name) => {
      const pid = Number(name);
      const startTime = startTimeOf(pid);
      return startTime === undefined ? [] : [{ pid, startTime }];
    });
}

function carries(pid: string, mark: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1"); // empty for one that has ended
    return `\0${environment}`.includes(`\0${runMarkName}=${mark}`);
  } catch {
    return false; // gone, or another user's
  }
}
