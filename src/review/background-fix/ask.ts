import type { DaemonClient } from "../../client/daemon.ts";
import type { FixJobRequest } from "../../daemon/api/requests.ts";
import { refTips } from "../../git/ref-tips.ts";
import type { Job } from "../../store/schema.ts";
import { readyFix } from "./apply-target.ts";

/** What may be said about a background fix. */
export type FixWish = Pick<FixJobRequest, "prompt" | "agent" | "model" | "reasoning" | "min_severity">;

/** Queues a fix of a review, from where its branch stands now: that is what its patch is going to be applied to. */
export async function askForFix(
  client: Pick<DaemonClient, "fixJob">,
  parent: Pick<Job, "id" | "branch" | "repo_path">,
  wish: FixWish = {},
): Promise<Job> {
  return await client.fixJob({ ...wish, ...(await tipOf(parent)), parent_job_id: parent.id });
}

/** Queues another fix for one whose patch does not apply any more, and takes that out of what waits. */
export async function askForRebase(
  client: Pick<DaemonClient, "fixJob" | "jobs" | "markRebased">,
  staleId: number,
  wish: FixWish = {},
): Promise<Job> {
  const stale = await readyFix(client, staleId);
  const parentId = stale.parent_job_id as number; // every fix has one
  const job = await client.fixJob({
    ...{ ...wish, ...(await tipOf(stale)) },
    ...{ parent_job_id: parentId, stale_job_id: staleId },
  });
  await client.markRebased(staleId);
  return job;
}

async function tipOf({
  branch,
  repo_path: cwd,
}: Pick<Job, "branch" | "repo_path">): Promise<{ git_ref?: string }> {
  if (branch === undefined || cwd === undefined) return {};
  const ref = `refs/heads/${branch}`;
  const tip = (await refTips(cwd, [ref])).get(ref);
  return tip === undefined ? {} : { git_ref: tip };
}
