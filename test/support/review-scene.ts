import { mkdirSync, writeFileSync } from "node:fs";
import type { Job } from "../../src/store/schema.ts";
import { type DaemonProcess, startDaemon } from "./daemon-process.ts";
import { type TempDir, tempDir } from "./temp.ts";
import { waitFor } from "./wait.ts";

/** The compiled daemon with one worker on a data directory of its own, and a way to have something reviewed to the end. */
export interface ReviewScene extends AsyncDisposable {
  dir: TempDir;
  dataDir: string;
  daemon: DaemonProcess;
  /** Queues a review and waits until its job has ended. */
  reviewed(repoPath: string, request?: Record<string, unknown>): Promise<Job>;
  /** The review's text. */
  output(job: Job): Promise<string>;
}

const ended = ["done", "failed", "skipped", "canceled"];

export async function reviewScene(
  options: { config?: string; env?: Record<string, string> } = {},
): Promise<ReviewScene> {
  const dir = tempDir();
  const dataDir = dir.join("data");
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(dir.join("data/config.toml"), options.config ?? 'default_agent = "test"\n', { mode: 0o600 });
  const daemon = await startDaemon(dataDir, options.env);
  return {
    dir,
    dataDir,
    daemon,
    async reviewed(repoPath, request = {}) {
      const { status, body } = await daemon.send("POST", "/api/enqueue", { repo_path: repoPath, ...request });
      if (status !== 201) throw new Error(`enqueue: ${status} ${JSON.stringify(body)}`);
      const { id } = body as Job;
      return waitFor(
        `job ${id}`,
        async () => {
          const { jobs } = (await daemon.send("GET", `/api/jobs?id=${id}`)).body as { jobs: Job[] };
          return jobs.find((job) => ended.includes(job.status));
        },
        30_000,
      );
    },
    async output(job) {
      const { body } = await daemon.send("GET", `/api/review?job_id=${job.id}`);
      return (body as { output: string }).output;
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}
