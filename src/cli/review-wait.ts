import type { DaemonClient } from "../client/daemon.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Context } from "./command.ts";
import { stateText } from "./commands/show.ts";
import { waitVisibly } from "./job-wait.ts";
import { reviewText } from "./review-text.ts";
import { withoutPrompt } from "./without-prompt.ts";

/** Waits for a job and prints its review; 0 for a pass or a job without verdict, 1 for a fail. */
export async function waitAndPrint(
  context: Pick<Context, "signal" | "out" | "flags">,
  client: DaemonClient,
  jobId: number,
  options: { quiet: boolean },
): Promise<number> {
  const job = await waitVisibly(context.out, client, jobId, context.signal);
  if (job.status === "skipped") {
    // A skipped review is no failure, and no findings.
    if (context.flags.json) context.out.json(withoutPrompt(job));
    else if (!options.quiet) context.out.print(`Skipped: ${job.skip_reason ?? "nothing to review"}`);
    return 0;
  }
  if (job.status === "failed" || job.status === "canceled") {
    throw new RoborevError(`job ${job.id} ${stateText(job)}`, { code: "E_JOB_FAILED" });
  }
  const review = await client.review({ job_id: jobId });
  if (context.flags.json) context.out.json(withoutPrompt(review));
  else if (!options.quiet) context.out.print(reviewText(review, context.out));
  return review.job.verdict === "F" ? 1 : 0;
}
