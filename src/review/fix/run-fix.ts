import type { OpenReviewsResponse, ReviewResponse } from "../../daemon/api/responses.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { refusalOf } from "./candidates.ts";
import { responderOf } from "./record.ts";
import type { FixResult, FixServices } from "./services.ts";
import { batchesOf, type RunMemory, workOff } from "./work-off.ts";

/** Rounds over what reviews of the fixes found: beyond that something goes in circles. */
const usualRounds = 10;

export interface Discovery {
  /** Whose reviews; left out: those of what is checked out. */
  branch?: string;
  allBranches: boolean;
  newestFirst: boolean;
}

/** What a whole run came to. */
export interface FixRun {
  results: FixResult[];
  /** Why it ended before everything was tried. */
  stopped?: string;
  /** Where nothing was open: whose reviews were looked for. */
  nothingOpen?: Pick<OpenReviewsResponse, "branch" | "tracked">;
}

/**
 * Deals with the reviews that were named, in that order. All are looked up before any agent starts; the first that is
 * not dealt with ends the run.
 */
export async function fixNamed(given: FixServices, ids: readonly number[]): Promise<FixRun> {
  const services = { ...given, settings: { ...given.settings, asksAgain: true } };
  const { client, checkout } = services;
  const jobs: Job[] = [];
  for (const id of ids) {
    const job = (await client.jobs({ id })).jobs[0];
    const refusal = job === undefined ? unknownJob(id) : refusalOf(job, checkout.mainRoot);
    if (refusal !== undefined) throw refusal;
    jobs.push(job as Job);
  }
  const results: FixResult[] = [];
  for (const job of jobs.filter(({ verdict }) => verdict === "P"))
    results.push(await closePassed(services, job.id));
  const reviews: ReviewResponse[] = [];
  for (const job of jobs.filter(({ verdict }) => verdict !== "P")) {
    tellOfOtherBranch(services, job);
    reviews.push(await client.review({ job_id: job.id }));
  }
  const memory: RunMemory = {};
  for (const batch of batchesOf(services, reviews)) {
    const open = await stillOpen(services, batch);
    announce(services, open);
    const worked = await workOff(services, open, memory);
    results.push(...worked.results);
    const broken = worked.results.find(({ outcome }) => isBroken(outcome));
    if (worked.stops || broken !== undefined) {
      return { results, stopped: `job ${(broken ?? worked.results.at(-1))?.job_id} was not dealt with` };
    }
  }
  return { results };
}

/**
 * Deals with all reviews that are open here, and with those that become open meanwhile; no review twice. One that is
 * not dealt with is told of, and does not keep the others from it.
 */
export async function fixOpen(
  services: FixServices,
  discovery: Discovery,
  maxRounds = usualRounds,
): Promise<FixRun> {
  const { client, checkout, progress } = services;
  const seen = new Set<number>();
  const results: FixResult[] = [];
  const memory: RunMemory = {};
  for (let round = 0; ; round++) {
    const found = await client.openReviews({
      path: checkout.worktreeRoot,
      ...(discovery.branch === undefined ? {} : { branch: discovery.branch }),
      ...(discovery.allBranches ? { all_branches: true } : {}),
    });
    const fresh = found.reviews.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return { results, ...(seen.size === 0 ? { nothingOpen: found } : {}) };
    const ids = (discovery.newestFirst ? fresh.toReversed() : fresh).map(({ id }) => id);
    if (round === maxRounds) return { results, stopped: roundsText(maxRounds, ids.length) };
    progress.say(`${round === 0 ? "Open" : "New"}: ${ids.length === 1 ? "job" : "jobs"} ${ids.join(", ")}`);
    const reviews: ReviewResponse[] = [];
    for (const id of ids) {
      seen.add(id);
      reviews.push(await client.review({ job_id: id }));
    }
    for (const batch of batchesOf(services, reviews)) {
      const still = await stillOpen(services, batch);
      announce(services, still);
      const worked = await workOff(services, still, memory);
      results.push(...worked.results);
      if (worked.stops) return { results, stopped: "the next agent would commit what this one left" };
    }
  }
}

/** Something went wrong, as opposed to an agent that sees it another way. */
const isBroken = (outcome: FixResult["outcome"]): boolean =>
  outcome === "failed" || outcome === "uncommitted" || outcome === "astray";

const unknownJob = (id: number) =>
  new RoborevError(`there is no job ${id}`, { code: "E_NO_JOB", hint: "roborev list shows the numbers." });

const roundsText = (rounds: number, count: number) =>
  `after ${rounds} rounds the reviews of the fixes still find something (${plural(count, "review")})`;

/** A named review that passed needs no agent. */
async function closePassed(services: FixServices, id: number): Promise<FixResult> {
  const { client, checkout, progress } = services;
  await client.closeReview({
    job_id: id,
    closed: true,
    closed_by: responderOf(services),
    worktree_path: checkout.worktreeRoot,
  });
  const message = "It passed: there is nothing to fix. Closed";
  const result: FixResult = { job_id: id, outcome: "passed", closed: true, message };
  progress.result(result);
  return result;
}

/** The reviews as they are now, without those that somebody closed since they were read. */
async function stillOpen(
  { client, progress }: FixServices,
  batch: readonly ReviewResponse[],
): Promise<ReviewResponse[]> {
  const open: ReviewResponse[] = [];
  for (const { job } of batch) {
    const review = await client.review({ job_id: job.id }).catch((error) => {
      if (!(error instanceof RoborevError) || error.code !== "E_NO_REVIEW") throw error;
      progress.say(`Job ${job.id}: ${errorMessage(error)}.`);
    });
    if (review === undefined) continue;
    if (review.closed) progress.say(`Job ${job.id} was closed meanwhile.`);
    else open.push(review);
  }
  return open;
}

function announce({ progress }: FixServices, reviews: readonly ReviewResponse[]): void {
  for (const review of reviews) progress.review(review);
}

function tellOfOtherBranch({ checkout, progress }: FixServices, { id, branch }: Job): void {
  if (branch === undefined || branch === checkout.branch) return;
  const here = checkout.branch === "" ? "no branch" : singleLine(checkout.branch);
  progress.say(`Job ${id} reviewed branch ${singleLine(branch)}; here is ${here}.`);
}
