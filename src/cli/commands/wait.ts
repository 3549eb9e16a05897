import type { DaemonClient } from "../../client/daemon.ts";
import { waitForJob } from "../../client/wait-job.ts";
import { type Checkout, findCheckout } from "../../git/checkout.ts";
import { shortRef } from "../../lib/job-text.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { errorLine } from "../output.ts";
import { findJob, resolveTarget } from "../target.ts";
import { withoutPrompt } from "../without-prompt.ts";
import { stateText } from "./show.ts";

interface Result {
  word: string;
  /** Absent where the word was not understood: the problem names it then. */
  label?: string;
  job?: Job;
  /** Absent when the review passed. */
  problem?: string;
}

export const wait = define({
  meta: { name: "wait", description: "Wait until reviews have finished. Queues nothing." },
  args: {
    sha: { type: "string", valueHint: "ref", description: "Commit to wait for (default HEAD)" },
    job: { type: "boolean", description: "The arguments are numbers of jobs" },
    quiet: { type: "boolean", alias: "q", description: "Print nothing" },
  },
  rest: { name: "review", description: "Commits, or numbers of jobs (default HEAD)" },
  exclusive: [{ names: ["sha", "review"] }],
  exitCodes: {
    0: "every review passed, or was skipped; a background fix has its patch",
    1: "one failed or was canceled, or there is none",
  },
  examples: ["roborev wait", "roborev wait HEAD HEAD~1", "roborev wait --job 42 --quiet"],
  async run(context) {
    const { args, flags, out } = context;
    const checkout = await findCheckout(context.cwd());
    const words = context.rest.length > 0 ? context.rest : [args.sha];
    if (args.job) for (const word of words) await resolveTarget(word, checkout, { forceJob: true });
    const client = await connect(context);
    using _ = out.waiting(`Waiting for ${plural(words.length, "review")}`);
    const results = await Promise.all(
      words.map((word) => waitFor(client, word, checkout, { forceJob: args.job, signal: context.signal })),
    );
    if (flags.json) {
      out.json(
        results.map(({ word, label, job, problem }) => ({
          target: label ?? word,
          passed: problem === undefined,
          job: job && withoutPrompt(job),
          problem,
        })),
      );
    } else if (!args.quiet) {
      for (const result of results) {
        const { job, problem } = result;
        const name = nameOf(result);
        if (problem !== undefined) out.note(name === undefined ? `Error: ${problem}` : `${name}: ${problem}`);
        else out.print(`${name}: ${goodText(job)}${name === `job ${job?.id}` ? "" : ` (job ${job?.id})`}`);
      }
    }
    return results.every((result) => result.problem === undefined) ? 0 : 1;
  },
});

/** What was asked for; with the range, where the commit is only the end of what is reviewed. */
function nameOf({ label, job }: Result): string | undefined {
  if (label === undefined || job === undefined) return label;
  const range = shortRef(singleLine(job.git_ref));
  return range.endsWith(`..${label}`) ? `${label} (end of ${range})` : label;
}

async function waitFor(
  client: DaemonClient,
  word: string | undefined,
  checkout: Checkout | undefined,
  options: { forceJob: boolean; signal: AbortSignal },
): Promise<Result> {
  const typedWord = { word: word ?? "HEAD" };
  try {
    const target = await resolveTarget(word, checkout, options);
    const label = target.kind === "job" ? `job ${target.id}` : target.label;
    const found = await findJob(client, target, checkout);
    if (found === undefined) return { ...typedWord, label, problem: "no job found" };
    const ended = await waitForJob(client, found.id, options);
    // A commit of which only the message changed keeps its review; the one that was queued for it is withdrawn.
    const kept = ended.status === "canceled" && target.kind === "ref";
    const job = (kept ? await findJob(client, target, checkout, "done") : undefined) ?? ended;
    const problem = verdictProblem(job);
    return { ...typedWord, label, job, ...(problem === undefined ? {} : { problem }) };
  } catch (error) {
    options.signal.throwIfAborted();
    return { ...typedWord, problem: errorLine(error).replace(/^Error: /, "") };
  }
}

function goodText(job: Job | undefined): string {
  if (job?.status === "skipped") return stateText(job);
  if (job?.job_type !== "fix") return "passed";
  return job.status === "done" ? "there is a patch" : stateText(job);
}

/** Why a finished job is not good news; undefined for a passed review, a commit that needed none, and a patch. */
export function verdictProblem(job: Job): string | undefined {
  if (job.job_type === "fix" && ["done", "applied", "rebased"].includes(job.status)) return undefined;
  if (job.status === "skipped" || (job.status === "done" && job.verdict === "P")) return undefined;
  if (job.status === "done" && job.verdict === "F") {
    return `failed. Read it with: roborev show --job ${job.id}`;
  }
  return job.status === "done" ? `job ${job.id} has no verdict` : `job ${job.id} ${stateText(job)}`;
}
