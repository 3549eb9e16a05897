import type { DaemonClient } from "../client/daemon.ts";
import { commitCredit } from "../config/commit-credit.ts";
import { loadGlobalConfig } from "../config/load.ts";
import { type Checkout, findCheckout } from "../git/checkout.ts";
import { ExitCode, RoborevError } from "../lib/errors.ts";
import { reviewerText } from "../lib/review-text.ts";
import type { Applied } from "../review/background-fix/apply-fix.ts";
import type { FixWish } from "../review/background-fix/ask.ts";
import type { Discovery } from "../review/fix/run-fix.ts";
import type { FixProgress } from "../review/fix/services.ts";
import type { Job } from "../store/schema.ts";
import type { Context } from "./command.ts";
import { connect } from "./connect.ts";
import { withEditSession } from "./edit-session.ts";
import { noOpenReviewsText } from "./fix-list.ts";
import { fixProgress } from "./fix-progress.ts";
import { withoutPrompt } from "./without-prompt.ts";

interface BackgroundRequest {
  /** None: whatever is open, but for reviews that have a fix that waits. */
  ids: number[];
  discovery: Discovery;
  wish: FixWish;
  quiet: boolean;
}

/** Queues a fix in the background for each review; the exit status. All that were named are looked up first. */
export async function queueFixes(
  context: Context,
  checkout: Checkout,
  { ids, discovery, wish, quiet }: BackgroundRequest,
): Promise<number> {
  const { askForFix } = await import("../review/background-fix/ask.ts");
  const { flags, out } = context;
  const note = (line: string) => (quiet ? undefined : out.note(line));
  const client = await connect(context);
  const parents =
    ids.length > 0
      ? await namedReviews(client, checkout, ids, note)
      : await openReviews(client, checkout, discovery, note);
  const jobs: Job[] = [];
  for (const parent of parents) {
    const job = await askForFix(client, parent, wish);
    jobs.push(job);
    if (!flags.json) out.print(queuedText(job));
  }
  if (flags.json) out.json(jobs.map(withoutPrompt));
  const id = jobs[0]?.id;
  if (id !== undefined)
    note(`When it is done: roborev show --job ${id} --patch, then: roborev fix --apply ${id}`);
  return ExitCode.done;
}

type Note = (line: string) => void;

async function namedReviews(
  client: DaemonClient,
  { mainRoot }: Checkout,
  ids: readonly number[],
  note: Note,
): Promise<Job[]> {
  const { refusalOf } = await import("../review/fix/candidates.ts");
  const jobs: Job[] = [];
  for (const id of ids) {
    const job = (await client.jobs({ id })).jobs[0];
    if (job === undefined) {
      const hint = "roborev list shows the numbers.";
      throw new RoborevError(`there is no job ${id}`, { code: "E_NO_JOB", hint });
    }
    const refusal = refusalOf(job, mainRoot);
    if (refusal !== undefined) throw refusal;
    if (job.verdict === "P") note(`Job ${id} passed: there is nothing to fix.`);
    else jobs.push(job);
  }
  return jobs;
}

async function openReviews(
  client: DaemonClient,
  checkout: Checkout,
  { branch, allBranches, newestFirst }: Discovery,
  note: Note,
): Promise<Job[]> {
  const found = await client.openReviews({
    path: checkout.worktreeRoot,
    ...(branch === undefined ? {} : { branch }),
    ...(allBranches ? { all_branches: true } : {}),
  });
  if (found.reviews.length === 0) note(noOpenReviewsText(found));
  const { jobs: fixes } = await client.jobs({ repo: checkout.mainRoot, job_type: "fix", limit: 0 });
  const waiting = new Map(
    fixes.filter(({ status }) => waits.includes(status)).map((fix) => [fix.parent_job_id, fix]),
  );
  return (newestFirst ? found.reviews.toReversed() : found.reviews).filter(({ id }) => {
    const fix = waiting.get(id);
    if (fix !== undefined) note(`Job ${id} has a background fix already: job ${fix.id} is ${fix.status}.`);
    return fix === undefined;
  });
}

const waits: readonly Job["status"][] = ["queued", "running", "done"];

const queuedText = ({ id, parent_job_id: parent, agent }: Job, more = "") =>
  `Queued background fix ${id} of job ${parent}${more} (agent: ${reviewerText(agent)})`;

/** Has the patch of a background fix made anew; the exit status. */
export async function rebaseFix(
  context: Context,
  { id, wish }: { id: number; wish: FixWish },
): Promise<number> {
  const { askForRebase } = await import("../review/background-fix/ask.ts");
  const { flags, out } = context;
  const job = await askForRebase(await connect(context), id, wish);
  if (flags.json) out.json(withoutPrompt(job));
  else out.print(queuedText(job, `, in place of job ${id}`));
  return ExitCode.done;
}

/** Applies the patch of a background fix in the working tree that has its branch; the exit status. */
export async function applyBackgroundFix(
  context: Context,
  { id, quiet }: { id: number; quiet: boolean },
): Promise<number> {
  const done = await applyPatch(context, { id, progress: fixProgress(context, quiet) });
  if (context.flags.json) context.out.json(done);
  return ExitCode.done;
}

/** The same for whoever shows its progress in a way of his own. */
export async function applyPatch(
  context: Context,
  { id, progress }: { id: number; progress: FixProgress },
): Promise<Applied> {
  const { findApplyTarget } = await import("../review/background-fix/apply-target.ts");
  const { applyFix } = await import("../review/background-fix/apply-fix.ts");
  const client = await connect(context);
  const target = await findApplyTarget(client, id, await findCheckout(context.cwd()));
  const { config: global } = await loadGlobalConfig(context.paths().config);
  const { checkout } = target;
  const settings = { credit: commitCredit(global), timeoutMs: 0 }; // no agent is run
  return await withEditSession(context, { checkout, progress }, (session) =>
    applyFix({ ...session, settings }, target),
  );
}
