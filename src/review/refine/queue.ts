import { resolveCheckout } from "../../git/checkout.ts";
import { commitsBetween } from "../../git/range.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { responderOf } from "../fix/record.ts";
import type { RefineScope, RefineServices } from "./services.ts";

const refined: readonly Job["job_type"][] = ["review", "range"];

/** The last commit that a job is about. */
export const endOf = ({ git_ref }: Pick<Job, "git_ref">): string => git_ref.split("..").at(-1) ?? "";

/** The commits of a scope now, oldest first; throws where another branch is checked out. */
export async function commitsNow({ checkout }: RefineServices, scope: RefineScope): Promise<string[]> {
  const cwd = checkout.worktreeRoot;
  const now = await resolveCheckout(cwd);
  if (now?.head !== undefined && now.branch === scope.branch)
    return (await commitsBetween(cwd, scope.base, now.head)).reverse();
  const [from, to] = [scope.branch, now?.branch].map((name) => singleLine(name || "a detached HEAD"));
  throw new RoborevError(`the working tree went from ${from} to ${to} meanwhile`, {
    code: "E_MOVED",
    hint: "Start roborev refine again when nobody else works here.",
  });
}

/** The open failed reviews of these commits: of single ones in their order, then of ranges. */
export async function openReviewsOf(
  { client, checkout }: RefineServices,
  commits: readonly string[],
): Promise<Job[]> {
  const { reviews } = await client.openReviews({ path: checkout.worktreeRoot });
  return inOrder(reviews, commits);
}

/** Jobs of these commits: single ones first, by commit, then ranges. Within a commit, and of ranges, by their numbers. */
export function inOrder<J extends Job>(jobs: readonly J[], commits: readonly string[]): J[] {
  const position = new Map(commits.map((sha, index) => [sha, index]));
  const rank = (job: Job) =>
    job.job_type === "range" ? commits.length : (position.get(endOf(job)) ?? commits.length);
  return jobs
    .filter((job) => refined.includes(job.job_type) && position.has(endOf(job)))
    .toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
}

/** A job of these commits that has not ended. */
export async function pendingOf(
  { client, checkout }: RefineServices,
  commits: readonly string[],
): Promise<Job | undefined> {
  const states = ["running", "queued"] as const;
  const answers = await Promise.all(
    states.map((status) => client.jobs({ repo: checkout.mainRoot, status, limit: 0 })),
  );
  const jobs = answers.flatMap(({ jobs }) => jobs);
  return inOrder(jobs, commits)[0];
}

/** Waits for a job, and closes its review if that passed. */
export async function settle(services: RefineServices, job: Job): Promise<Job> {
  services.progress.say(`Waiting for job ${job.id}.`);
  const ended = await services.waitFor(job.id);
  const { progress } = services;
  if (ended.status === "done" && ended.verdict === "P") {
    if (ended.closed !== true) await closePassing(services, ended);
    progress.say(`Job ${job.id} passed.`);
  } else if (ended.status === "done") progress.say(`Job ${job.id} found something.`);
  else progress.say(`Job ${job.id} is ${ended.status}${reasonOf(ended)}.`);
  return ended;
}

/** A review that passed waits for nobody. */
export async function closePassing(services: RefineServices, { id }: Job): Promise<void> {
  const { client, checkout } = services;
  await client.closeReview({
    job_id: id,
    closed: true,
    closed_by: responderOf(services),
    worktree_path: checkout.worktreeRoot,
  });
}

/** Why there is no review, where it is known. */
export function reasonOf({ error, skip_reason }: Job): string {
  const reason = singleLine(error ?? skip_reason ?? "");
  return reason === "" ? "" : `: ${reason}`;
}
