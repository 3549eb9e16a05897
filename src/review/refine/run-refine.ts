import { ensurePrivateDirectory } from "../../fs/private.ts";
import { treeOf } from "../../git/commit.ts";
import { plural, singleLine, truncateUtf8 } from "../../lib/text.ts";
import type { Job, ReviewFinding } from "../../store/schema.ts";
import { entryOf } from "../fix/candidates.ts";
import { ensureReviewed } from "../fix/reviewed-commit.ts";
import type { FixResult } from "../fix/services.ts";
import { askedFindings, type FixEntry, nothingAsked } from "../prompt/fix/entry.ts";
import { type Attempt, address } from "./address.ts";
import { commitsNow, endOf, openReviewsOf, pendingOf, settle } from "./queue.ts";
import { type Recurrence, RecurrenceWatch } from "./recurrence.ts";
import type { RefineOutcome, RefineRun, RefineScope, RefineServices } from "./services.ts";
import { wholeReview } from "./whole.ts";

/** What is remembered from one attempt to the next. */
interface Memory {
  iterations: number;
  results: FixResult[];
  commits: string[];
  /** Reviews that are left alone for the rest of the run. */
  skipped: Set<number>;
  watch: RecurrenceWatch;
  /** Trees of the commits so far, and which commit has each. */
  trees: Map<string, string>;
  /** The review to go on with. */
  next?: number;
}

interface End {
  outcome: RefineOutcome;
  message: string;
  hint?: string;
}

/**
 * Lets an agent deal with the failed reviews of some commits, and with those of the commits that come of it, until a
 * review of all together passes or nothing moves on. The working tree's user is told what was committed if it is cut
 * short.
 */
export async function refineBranch(services: RefineServices, scope: RefineScope): Promise<RefineRun> {
  const memory: Memory = {
    ...{ iterations: 0, results: [], commits: [], skipped: new Set<number>() },
    ...{ watch: new RecurrenceWatch(), trees: new Map<string, string>() },
  };
  await ensurePrivateDirectory(services.lock.trees);
  try {
    const end = await untilEnd(services, scope, memory);
    const { iterations, results, commits } = memory;
    return { ...end, branch: scope.branch, iterations, results, commits };
  } catch (error) {
    if (memory.commits.length > 0) services.progress.warn(madeText(memory.commits));
    throw error;
  }
}

async function untilEnd(services: RefineServices, scope: RefineScope, memory: Memory): Promise<End> {
  const { signal, checkout } = services;
  for (;;) {
    signal.throwIfAborted();
    const commits = await commitsNow(services, scope);
    const head = commits.at(-1);
    if (head === undefined) return { outcome: "nothing", message: "There are no commits to refine" };
    memory.trees.set(await treeOf(checkout.worktreeRoot, head), head);
    const found = await nextReview(services, scope, { commits, head, memory });
    if (found === "again") continue;
    if (!("entry" in found)) return found;
    const end = await attempt(services, memory, { ...found, commits });
    if (end !== undefined) return end;
  }
}

type Found = { job: Job; entry: FixEntry } | "again" | End;

/** The review to address now; or what was decided instead, or that something has changed meanwhile. */
async function nextReview(
  services: RefineServices,
  scope: RefineScope,
  { commits, head, memory }: { commits: string[]; head: string; memory: Memory },
): Promise<Found> {
  const open = (await openReviewsOf(services, commits)).filter(({ id }) => !memory.skipped.has(id));
  const job = open.find(({ id }) => id === memory.next) ?? open[0];
  if (job !== undefined) return (await readReview(services, job, memory)) ?? "again";
  const pending = await pendingOf(services, commits);
  if (pending !== undefined) {
    await services.agent(); // nobody waits for what none can mend
    await settle(services, pending);
    return "again";
  }
  const whole = await wholeReview(services, scope, head);
  if (whole.kind === "passed") {
    return { outcome: "passed", message: `The review of ${allOf(commits)} passed (job ${whole.job.id})` };
  }
  if (whole.kind === "skipped") {
    return { outcome: "passed", message: `There is nothing to review in ${allOf(commits)}: ${whole.reason}` };
  }
  if (whole.kind === "unreviewed") {
    const hint = "See why: roborev status";
    return {
      outcome: "unreviewed",
      message: `there is no review of ${allOf(commits)}: ${whole.reason}`,
      hint,
    };
  }
  const { id } = whole.job;
  if (whole.kind === "below") {
    const floor = services.settings.floor;
    return {
      outcome: "settled",
      message: `All that the review of ${allOf(commits)} finds is below ${floor} (job ${id})`,
    };
  }
  if (whole.kind === "failed" && !memory.skipped.has(id))
    return (await readReview(services, whole.job, memory)) ?? "again";
  const why = whole.kind === "deferred" ? "something was put off" : "the agent mends nothing";
  return {
    outcome: "unresolved",
    message: `of what the review of ${allOf(commits)} found, ${why} (job ${id})`,
    hint: `Read what the agent says: roborev show --job ${id}`,
  };
}

const allOf = ({ length }: readonly string[]) => (length === 1 ? "the one commit" : `all ${length} commits`);

/** A review as it is now; undefined where nothing of it is to be done, and then it is left alone. */
async function readReview(services: RefineServices, { id }: Job, memory: Memory) {
  const review = await services.client.review({ job_id: id });
  const entry = entryOf(review);
  const left = nothingAsked(entry, services.settings.floor);
  if (left === undefined && !review.closed) {
    await services.agent();
    services.progress.review(review);
    return { job: review.job, entry };
  }
  memory.skipped.add(id);
  services.progress.say(`Job ${id} is left alone: ${left ?? "it was closed meanwhile"}.`);
  return undefined;
}

/** One attempt at a review; what ends the run, if anything does. */
async function attempt(
  services: RefineServices,
  memory: Memory,
  { job, entry, commits }: { job: Job; entry: FixEntry; commits: string[] },
): Promise<End | undefined> {
  const { progress, maxIterations, settings } = services;
  const findings = watched(entry, askedFindings(entry, settings.floor));
  const back = memory.watch.raise({ jobId: job.id, findings, seen: commits.indexOf(endOf(job)) });
  if (back !== undefined) return recurringEnd(back, job.id);
  if (memory.iterations >= maxIterations) return exhaustedEnd(maxIterations, job.id);
  memory.iterations++;
  progress.say(`Attempt ${memory.iterations} of at most ${maxIterations}: job ${job.id}`);
  const done = await address(services, entry);
  if (done.result === undefined) return undefined;
  memory.results.push(done.result);
  if (!done.result.closed) memory.skipped.add(job.id);
  // A commit of it becomes the newest.
  const at = commits.length - (done.commit === undefined ? 1 : 0);
  memory.watch.address({ jobId: job.id, findings, at });
  return done.commit && (await follow(services, memory, done.commit));
}

/** The findings that are watched; a review without a list is one as a whole. */
const watched = (entry: FixEntry, asked: readonly ReviewFinding[]): readonly ReviewFinding[] =>
  asked.length > 0 ? asked : [{ number: 1, severity: "high", problem: entry.output }];

/** Goes on with the review of a commit that was just made; what ends the run, if that commit brings nothing new. */
async function follow(
  services: RefineServices,
  memory: Memory,
  commit: NonNullable<Attempt["commit"]>,
): Promise<End | undefined> {
  const { checkout, progress } = services;
  const { sha, base, count } = commit;
  memory.commits.push(sha);
  const tree = await treeOf(checkout.worktreeRoot, sha);
  const before = memory.trees.get(tree);
  if (before !== undefined) return circleEnd(sha, before);
  const reviewed = await ensureReviewed(services, { sha, base, count, branch: checkout.branch });
  if ("skipped" in reviewed) progress.say(`Commit ${sha.slice(0, 7)} is not reviewed: ${reviewed.skipped}.`);
  else memory.next = (await settle(services, reviewed.job)).id;
  return undefined;
}

function recurringEnd({ finding, jobs }: Recurrence, jobId: number): End {
  const where = finding.location === undefined ? "" : ` at ${singleLine(finding.location)}`;
  const what = truncateUtf8(singleLine(finding.problem), 200);
  return {
    outcome: "recurring",
    message: `the same finding came back twice after it was dealt with${where}: ${what} (jobs ${jobs.join(", ")})`,
    hint: `Reviewer and agent disagree, so decide: mend it yourself, or refute it with roborev comment ${jobId} --finding ${finding.number} --refuted -m "why".`,
  };
}

const circleEnd = (sha: string, before: string): End => ({
  outcome: "recurring",
  message: `commit ${sha.slice(0, 7)} makes the files what they were at ${before.slice(0, 7)}: this goes in circles`,
  hint: "Findings contradict each other. Look at both commits, and refute what is wrong with roborev comment.",
});

const exhaustedEnd = (attempts: number, jobId: number): End => ({
  outcome: "exhausted",
  message: `after ${plural(attempts, "attempt")} there is still something to do: job ${jobId}`,
  hint: "Go on with: roborev refine, or with more attempts: --max-iterations N",
});

/** What a run has committed that ends early. */
function madeText(commits: readonly string[]): string {
  const named = commits.map((sha) => sha.slice(0, 7)).join(", ");
  return `Committed so far, and still there: ${named}.`;
}
