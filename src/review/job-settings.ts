import { type ReviewSettings, resolveReviewSettings } from "../config/resolve.ts";
import type { GlobalConfig, RepoConfig } from "../config/schema.ts";
import { type Checkout, findCheckout } from "../git/checkout.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Job } from "../store/schema.ts";

/** The checkout that the job was made in, or the main one when that is gone: the reviewed SHA is the same in both. */
export async function checkoutOf(job: Job): Promise<Checkout> {
  const root = job.repo_path ?? "";
  const own = job.worktree_path ? await findCheckout(job.worktree_path) : undefined;
  const checkout = own?.mainRoot === root ? own : await findCheckout(root);
  if (checkout) return checkout;
  throw new RoborevError(`the repository ${root} is gone`, { code: "E_NOT_A_REPO" });
}

/** What holds for a job: what it was queued with, and for the rest what is configured by now. */
export function settingsOf(job: Job, repo: RepoConfig, global: GlobalConfig): ReviewSettings {
  const settings = resolveReviewSettings({
    request: {
      ...(job.job_type === "fix" ? { workflow: "fix" as const } : {}),
      reviewType: job.review_type ?? "",
      agent: job.agent,
      reasoning: job.reasoning,
      ...(job.model === undefined ? {} : { model: job.model }),
      ...(job.min_severity === undefined ? {} : { minSeverity: job.min_severity }),
    },
    repo,
    global,
  });
  if (job.attempted_agents === undefined || job.model !== undefined) return settings;
  const { model: _, ...ofBackup } = settings; // a backup has the model that was configured for it as one, or its own
  return ofBackup;
}
