import { join } from "node:path";
import { reasoningLevels, tryParseReasoning } from "../../config/reasoning.ts";
import type { EnqueueRequest } from "../../daemon/api/requests.ts";
import { findCheckout } from "../../git/checkout.ts";
import { isRebaseInProgress } from "../../git/state.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { shortRef } from "../../lib/job-text.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import type { Job, Severity } from "../../store/schema.ts";
import { typed } from "../arguments.ts";
import { define } from "../command.ts";
import { warnOfBrokenConfig } from "../config-warning.ts";
import { connect } from "../connect.ts";
import { reviewHere } from "../local-review.ts";
import { requireCheckout, workingDirectory } from "../place.ts";
import { waitAndPrint } from "../review-wait.ts";
import { knownReviewer } from "../reviewer.ts";
import { chooseSubject, type Subject } from "../subject.ts";

export const review = define({
  meta: {
    name: "review",
    description: "Queue a review of a commit, a range of commits, a branch, or what is not committed yet.",
  },
  args: {
    commit: {
      type: "positional",
      required: false,
      description: "Commit (default HEAD), a..b, or the first of a range",
    },
    end: {
      type: "positional",
      required: false,
      description: "Last commit of the range, the first one included",
    },
    repo: { type: "string", valueHint: "path", description: "Repository (default: where you are)" },
    sha: {
      type: "string",
      default: "HEAD",
      valueHint: "ref",
      description: "Commit, where no argument names one",
    },
    dirty: { type: "boolean", description: "Everything that is not committed: staged, unstaged, untracked" },
    branch: {
      type: "string",
      valueHint: "name",
      description: "Everything on the current branch, or on another",
    },
    base: { type: "string", valueHint: "ref", description: "Where the branch starts (default: found out)" },
    since: { type: "string", valueHint: "ref", description: "Everything after this commit" },
    agent: { type: "string", valueHint: "name", description: "Reviewer" },
    model: { type: "string", alias: "m", valueHint: "name", description: "Model of the reviewer" },
    reasoning: { type: "string", valueHint: "level", description: `One of ${reasoningLevels.join(", ")}` },
    fast: { type: "boolean", description: "Same as --reasoning fast, unless that says otherwise" },
    type: { type: "enum", options: ["default", "security", "design"], description: "What to look for" },
    "min-severity": {
      type: "enum",
      options: ["critical", "high", "medium", "low"],
      description: "Findings below this do not fail the review",
    },
    wait: { type: "boolean", description: "Wait for the review and print it" },
    local: {
      type: "boolean",
      description: "Review here and now, without the daemon, and show the reviewer at work",
    },
    quiet: { type: "boolean", alias: "q", description: "Print nothing" },
  },
  optionalValue: { branch: "HEAD" },
  exclusive: [
    { names: ["branch", "dirty"] },
    { names: ["branch", "since"] },
    { names: ["since", "dirty"] },
    { names: ["branch", "commit"], hint: "To review another branch, write --branch=<name>." },
    { names: ["since", "commit"] },
    { names: ["dirty", "commit"] },
    { names: ["sha", "commit"] },
  ],
  requires: [{ names: ["base", "branch"] }],
  tidiesUp: "local",
  details: `--local asks the same reviewer the same question with the same configuration, and stores nothing: no list, no
    reminder and no later review knows of it. Nor does it know of earlier reviews and their comments, and of reviewers
    that rest because their quota is used up. Interrupting it ends the reviewer.`,
  exitCodes: {
    0: "queued or skipped; with --wait or --local: passed",
    1: "failed; with --wait or --local: findings, or no review",
  },
  examples: [
    "roborev review",
    "roborev review HEAD~3 HEAD --wait",
    "roborev review --branch --type security",
    "roborev review --dirty --agent codex",
    "roborev review --local",
  ],
  async run(context) {
    const { args, flags, out } = context;
    const reasoning = reasoningLevel(args.reasoning, args.fast);
    const agent = await knownReviewer(args.agent);
    refuseInReviewer(context.env);
    const directory = workingDirectory(context, args.repo);
    if (args.quiet && (await findCheckout(directory)) === undefined) return 0;
    const checkout = await requireCheckout(
      directory,
      (child) =>
        `roborev review --repo ${shellWord(args.repo === undefined ? child : join(args.repo, child))}`,
    );
    if (isRebaseInProgress(checkout)) {
      if (flags.json) out.json({ skipped: true, reason: "rebase in progress" });
      else if (!args.quiet) out.print("Skipped: rebase in progress");
      return 0;
    }
    const subject = await chooseSubject(context, checkout);
    if (subject.notice && !args.quiet) out.note(subject.notice);
    const request: EnqueueRequest = {
      repo_path: checkout.worktreeRoot,
      git_ref: subject.gitRef,
      ...(subject.branch ? { branch: subject.branch } : {}),
      ...(subject.diff === undefined ? {} : { diff_content: subject.diff }),
      ...(agent ? { agent } : {}),
      ...(args.model ? { model: args.model } : {}),
      ...(reasoning ? { reasoning } : {}),
      ...(args.type ? { review_type: args.type } : {}),
      ...(args["min-severity"] ? { min_severity: args["min-severity"] as Severity } : {}),
    };
    if (args.local) return await reviewHere(context, request, { quiet: args.quiet });
    const client = await connect(context);
    const answer = await client.enqueue(request);
    if (!args.quiet) await warnOfBrokenConfig(context);
    if ("skipped" in answer) {
      if (flags.json) out.json(answer);
      else if (!args.quiet) out.print(`Skipped: ${singleLine(answer.reason)}`);
      return 0;
    }
    // With --wait and --json the review is the one document on standard output.
    if (flags.json && !args.wait) out.json(answer);
    else if (!flags.json && !args.quiet) out.print(receipt(answer, subject));
    return args.wait ? await waitAndPrint(context, client, answer.id, { quiet: args.quiet }) : 0;
  },
});

function receipt(job: Job, subject: Subject): string {
  const agent = `(agent: ${singleLine(job.agent)})`;
  return subject.gitRef === "dirty"
    ? `Enqueued dirty review job ${job.id} ${agent}`
    : `Enqueued job ${job.id} for ${shortRef(job.git_ref)} ${agent}`;
}

/** The level that `--reasoning` names, or `--fast` stands for; throws a usage error for what is none. */
export function reasoningLevel(given: string | undefined, fast: boolean): string | undefined {
  if (given === undefined) return fast ? "fast" : undefined;
  const level = tryParseReasoning(given);
  if (level) return level;
  throw new UsageError(`--reasoning cannot be ${typed(given) || "empty"}`, {
    hint: `Use one of: ${reasoningLevels.join(", ")}.`,
  });
}

/** A reviewer that asks for reviews would never end; what else it may not do, `what` says. */
export function refuseInReviewer(env: Record<string, string | undefined>, what = "start reviews"): void {
  if (!env.ROBOREV_REVIEW_JOB) return;
  throw new RoborevError(`a reviewer cannot ${what}`, {
    code: "E_RECURSION",
    hint: "ROBOREV_REVIEW_JOB says that this process runs inside one.",
  });
}
