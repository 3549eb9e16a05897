import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateDirectory } from "../fs/private.ts";

/** What a reviewer prints while it works, kept for `roborev log`. Losing it never loses a review. */
export interface JobLog {
  write(chunk: Uint8Array): void;
  close(): Promise<void>;
}

export function jobLogPath(directory: string, jobId: number): string {
  return join(directory, `${jobId}.log`);
}

/** Starts a job's log anew. A log that cannot be written is reported once and then ignored. */
export async function openJobLog(
  directory: string,
  jobId: number,
  onError: (error: unknown) => void,
): Promise<JobLog> {
  try {
    await ensurePrivateDirectory(directory);
  } catch (error) {
    onError(error);
    return { write() {}, close: async () => {} };
  }
  const stream = createWriteStream(jobLogPath(directory, jobId), { flags: "w", mode: 0o600 });
  let broken = false;
  stream.on("error", (error) => {
    if (!broken) onError(error);
    broken = true;
  });
  return {
    write(chunk) {
      if (!broken) stream.write(chunk);
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}

/** Removes the log of a run that counts for nothing, because it is going to begin anew. */
export async function dropJobLog(directory: string, jobId: number): Promise<void> {
  await rm(jobLogPath(directory, jobId), { force: true });
}
