import type { DaemonClient } from "../../client/daemon.ts";
import { DaemonRefusal } from "../../client/refusal.ts";
import type { ReviewResponse } from "../../daemon/api/responses.ts";
import { type Checkout, findCheckout } from "../../git/checkout.ts";
import { RoborevError } from "../../lib/errors.ts";
import { patchText } from "../../lib/patch-text.ts";
import { safeMultiline, singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { type Context, define } from "../command.ts";
import { connect } from "../connect.ts";
import { reviewText, rule } from "../review-text.ts";
import { findJob, resolveTarget, type Target } from "../target.ts";
import { withoutPrompt } from "../without-prompt.ts";

export const show = define({
  meta: { name: "show", description: "Show a review: what was found, the verdict, and the comments." },
  args: {
    review: { type: "positional", required: false, description: "Commit, or number of a job (default HEAD)" },
    job: { type: "boolean", description: "The argument is the number of a job" },
    prompt: { type: "boolean", description: "Show what the reviewer was asked instead" },
    patch: {
      type: "boolean",
      description: "Print the patch of a background fix instead, as git apply takes it",
    },
  },
  exclusive: [{ names: ["prompt", "patch"] }],
  details: `A commit that has no review of its own stands for the newest one of a range or branch that ends with it, and the
    header says so. roborev wait and roborev comment take it the same way.`,
  exitCodes: { 0: "shown", 1: "there is no review (yet)" },
  examples: ["roborev show", "roborev show HEAD~2", "roborev show --job 42 --json"],
  async run(context) {
    const { args, flags, out } = context;
    const checkout = await findCheckout(context.cwd());
    const target = await resolveTarget(args.review, checkout, { forceJob: args.job });
    const client = await connect(context);
    if (args.prompt)
      return await showPrompt(client, target, checkout, (job) => {
        if (flags.json) out.json({ job_id: job.id, prompt: job.prompt ?? "" });
        else out.print(`Prompt of job ${job.id}\n${rule}\n${safeMultiline(job.prompt ?? "").trimEnd()}`);
      });
    const review = await fetchReview(client, target, checkout);
    if (args.patch) return await showPatch(client, review.job, context);
    if (flags.json) out.json(withoutPrompt(review));
    else out.print(reviewText(review, out, target.kind === "ref" ? { commit: target.ref } : {}));
    return 0;
  },
});

async function showPrompt(
  client: DaemonClient,
  target: Target,
  checkout: Checkout | undefined,
  print: (job: Job) => void,
): Promise<number> {
  const listed = await findJob(client, target, checkout);
  if (listed === undefined) throw noReview(target);
  // Lists leave the prompt out; the look-up by number has it.
  const job = (await client.jobs({ id: listed.id })).jobs[0] ?? listed;
  if (!job.prompt) {
    throw new RoborevError(`job ${job.id} is ${job.status} and has no prompt yet`, { code: "E_NO_PROMPT" });
  }
  print(job);
  return 0;
}

/** On a terminal what cannot be shown is spelt out; elsewhere the patch is what it is, byte for byte. */
async function showPatch(
  client: DaemonClient,
  { id, job_type: type }: Job,
  { out, flags }: Pick<Context, "out" | "flags">,
): Promise<number> {
  if (type !== "fix") {
    const hint = `Ask for one with: roborev fix --background ${id}`;
    throw new RoborevError(`job ${id} is no background fix and has no patch`, { code: "E_NO_PATCH", hint });
  }
  const patch = await client.patch(id);
  const text = () => new TextDecoder().decode(patch);
  if (flags.json) out.json({ job_id: id, patch: text() });
  else if (out.isTerminal) out.print(patchText(text()).trimEnd());
  else await out.pass(patch);
  return 0;
}

/** The newest review of a target; says which job there is where the review is missing. */
export async function fetchReview(
  client: DaemonClient,
  target: Target,
  checkout: Checkout | undefined,
): Promise<ReviewResponse> {
  const from = checkout ? { worktree: checkout.worktreeRoot } : {};
  try {
    return target.kind === "job"
      ? await client.review({ job_id: target.id, ...from })
      : await client.review({ ref: target.ref, ...(checkout ? { repo: checkout.mainRoot } : {}), ...from });
  } catch (error) {
    if (!(error instanceof DaemonRefusal) || error.status !== 404) throw error;
    const job = (error.body.job as Job | undefined) ?? (await findJob(client, target, checkout));
    if (job === undefined) throw noReview(target);
    // The same commit under another path of the repository.
    if (target.kind === "ref" && job.verdict !== undefined) return await client.review({ job_id: job.id });
    const pending = job.status === "queued" || job.status === "running";
    const what = job.job_type === "fix" ? "patch" : "review";
    throw new RoborevError(`there is no ${what}${pending ? " yet" : ""}: job ${job.id} ${stateText(job)}`, {
      code: "E_NO_REVIEW",
      ...(pending ? { hint: `Wait for it with: roborev wait --job ${job.id}` } : {}),
    });
  }
}

const noReview = (target: Target) =>
  new RoborevError(
    target.kind === "job"
      ? `there is no job ${target.id}`
      : `no review found for ${singleLine(target.label)}`,
    target.kind === "job"
      ? { code: "E_NO_JOB", hint: "roborev list shows the numbers." }
      : { code: "E_NO_REVIEW", hint: `Queue one with: roborev review ${singleLine(target.label)}` },
  );

/** `is queued`, `failed: timeout`. */
export function stateText(job: Job): string {
  const why = job.status === "skipped" ? job.skip_reason : job.status === "failed" ? job.error : undefined;
  const verb: Partial<Record<Job["status"], string>> = {
    failed: "failed",
    canceled: "was canceled",
    skipped: "was skipped",
    applied: "was applied",
    rebased: "was made anew",
  };
  return `${verb[job.status] ?? `is ${job.status}`}${why ? `: ${singleLine(why)}` : ""}`;
}
