import { existsSync } from "node:fs";
import { resolveCommit } from "../git/commit.ts";
import { isFullSha } from "../git/revision.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Job } from "../store/schema.ts";

/**
 * Throws where the commit of a job is not in its repository any more: to review it again could only fail, and would put
 * a failed job in the place of the review that there is.
 */
export async function requireItsCommit(job: Job | undefined): Promise<void> {
  const last = job?.git_ref.split("..").at(-1) ?? "";
  if (job?.repo_path === undefined || !isFullSha(last) || !existsSync(job.repo_path)) return;
  if ((await resolveCommit(job.repo_path, last)) !== undefined) return;
  throw new RoborevError(`commit ${last.slice(0, 7)} of job ${job.id} is not in its repository any more`, {
    code: "E_REF",
    hint: `Its review stays as it is: roborev show --job ${job.id}`,
  });
}
