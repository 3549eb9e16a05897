import { singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import type { FixServices } from "./services.ts";

const probes = 10;
const pauseMs = 1_000;
const newestJobs = 50;

type Services = Pick<FixServices, "checkout" | "client" | "pause">;

/** Of a commit that was just made: the job that reviews it, or why there is none. */
export type CommitReview = { job: Job } | { skipped: string };

/**
 * Makes sure that a commit is reviewed: waits for the job of the git hook, and queues one where none comes. `base` is
 * where HEAD was before: of several commits the whole is reviewed then.
 */
export async function ensureReviewed(
  services: Services,
  { sha, base, count, branch }: { sha: string; base: string; count: number; branch: string },
): Promise<CommitReview> {
  const { checkout, client, pause } = services;
  for (let probe = 0; probe < probes; probe++) {
    if (probe > 0) await pause(pauseMs);
    const job = await findJob(services, sha);
    if (job !== undefined) return { job };
  }
  const answer = await client.enqueue({
    repo_path: checkout.worktreeRoot,
    git_ref: count > 1 ? `${base}..${sha}` : sha,
    ...(branch === "" ? {} : { branch }),
    // As the hook asks: once for a commit, and not where the configuration leaves it out.
    source: "post_commit",
  });
  return "skipped" in answer ? { skipped: singleLine(answer.reason) } : { job: answer };
}

/** A commit may be the end of a range: of its branch, or of commits in quick succession. */
async function findJob({ client, checkout }: Services, sha: string): Promise<Job | undefined> {
  const { jobs } = await client.jobs({ repo: checkout.mainRoot, limit: newestJobs });
  return jobs.find(({ git_ref, status }) => status !== "canceled" && git_ref.split("..").at(-1) === sha);
}
