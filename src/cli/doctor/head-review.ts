import { newestJob } from "../../client/daemon.ts";
import { DaemonError } from "../../client/transport.ts";
import type { Checkout } from "../../git/checkout.ts";
import { headOrigin } from "../../git/head-origin.ts";
import type { Context } from "../command.ts";
import { clientFor } from "../connect.ts";
import { type Finding, warning } from "./finding.ts";

/** The commit that HEAD names, if it is one that ought to have been queued here. */
export interface HeadReview {
  sha: string;
  repo: string;
  /** When it was committed, in milliseconds. */
  committedMs: number;
  hasJob: boolean;
}

/**
 * Undefined where nothing can be said of HEAD: it was not committed here, is a merge, or older than the set-up; or no
 * daemon tells.
 */
export async function probeHeadReview(
  context: Context,
  checkout: Checkout | undefined,
): Promise<HeadReview | undefined> {
  if (checkout?.head === undefined) return undefined;
  const { head: sha, mainRoot, worktreeRoot } = checkout;
  const origin = await headOrigin(worktreeRoot);
  if (origin?.sha !== sha || !origin.isCommitted || origin.parents > 1) return undefined;
  const client = clientFor(context);
  try {
    const { repos } = await client.repos();
    const known = repos.find(({ root_path, active }) => active && root_path === mainRoot);
    if (known === undefined || origin.committedMs < wholeSecond(known.created_at)) return undefined;
    const hasJob =
      (await newestJob(client, { repo: mainRoot, git_ref: sha })) !== undefined ||
      (await client.jobs({ repo: mainRoot, limit: maxJobs })).jobs.some(({ git_ref }) =>
        git_ref.endsWith(`..${sha}`),
      );
    return { sha, repo: worktreeRoot, committedMs: origin.committedMs, hasJob };
  } catch (error) {
    if (error instanceof DaemonError) return undefined; // of the daemon itself there is a finding already
    throw error;
  }
}

const maxJobs = 100;

/** Git counts in seconds. */
const wholeSecond = (time: string) => Math.floor(Date.parse(time) / 1000) * 1000;

/** How long after a commit its hook may write down what it did. */
const hookMs = 60_000;

/** `entries`: what the hooks wrote down; one for this commit is judged by what it says. */
export function judgeHeadReview(
  head: HeadReview | undefined,
  entries: readonly { ts: string; repo: string }[],
): Finding[] {
  if (head === undefined || head.hasJob) return [];
  const wasSeen = entries.some(({ ts, repo }) => {
    const afterMs = Date.parse(ts) - head.committedMs;
    return repo === head.repo && afterMs >= 0 && afterMs <= hookMs;
  });
  if (wasSeen) return [];
  const what = `HEAD (${head.sha.slice(0, 7)}) was committed here and never queued: the git hook did not run, or not in time`;
  return [warning("head-not-queued", what, "roborev review")];
}
