import type { DaemonClient } from "../client/daemon.ts";
import { waitForJob } from "../client/wait-job.ts";
import type { Job } from "../store/schema.ts";
import type { Output } from "./output.ts";

/** The job, once it has finished; meanwhile a terminal shows that it is waited for. */
export async function waitVisibly(
  out: Output,
  client: Pick<DaemonClient, "jobs">,
  jobId: number,
  signal: AbortSignal,
): Promise<Job> {
  using _ = out.waiting(`Waiting for the review, job ${jobId}`);
  return await waitForJob(client, jobId, { signal });
}
