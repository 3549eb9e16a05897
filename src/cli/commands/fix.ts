import type { ArgsDef } from "citty";
import { type MinSeverity, severities } from "../../config/fields.ts";
import { defined } from "../../lib/defined.ts";
import { UsageError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { FixWish } from "../../review/background-fix/ask.ts";
import { wholeNumber } from "../arguments.ts";
import { applyBackgroundFix, queueFixes, rebaseFix } from "../background-fix.ts";
import { type Context, define } from "../command.ts";
import { type FixRequest, runFix } from "../fix-run.ts";
import { listOpenReviews } from "../open-reviews.ts";
import { requireCheckout } from "../place.ts";
import { knownReviewer } from "../reviewer.ts";
import { jobNumber } from "../target.ts";
import { reasoningLevel, refuseInReviewer } from "./review.ts";

const levels: MinSeverity[] = [...severities];

const args = {
  agent: { type: "string", valueHint: "name", description: "Agent that edits" },
  model: { type: "string", alias: "m", valueHint: "name", description: "Model of the agent" },
  reasoning: { type: "string", valueHint: "level", description: "How hard it thinks (default standard)" },
  "min-severity": {
    type: "enum",
    options: levels,
    valueHint: "level",
    description: "Leave findings below it alone (default: what fails a review)",
  },
  branch: { type: "string", valueHint: "name", description: "Reviews of another branch" },
  "all-branches": { type: "boolean", description: "Reviews of every branch" },
  "newest-first": { type: "boolean", description: "Begin with the newest review" },
  batch: { type: "boolean", description: "As many reviews at once as one prompt takes" },
  "batch-size": { type: "string", valueHint: "n", description: "The same, but at most n at once" },
  background: { type: "boolean", description: "Queue it: the daemon has it done, and leaves a patch" },
  prompt: {
    type: "string",
    valueHint: "text",
    description: "With --background or --rebase: what the agent is to heed besides",
  },
  apply: { type: "string", valueHint: "job", description: "Apply and commit the patch of a background fix" },
  rebase: {
    type: "string",
    valueHint: "job",
    description: "Have the patch of a background fix made anew, on its branch as that is now",
  },
  list: { type: "boolean", description: "Only list what is open" },
  resume: { type: "boolean", description: "One conversation with the agent for all reviews" },
  quiet: { type: "boolean", alias: "q", description: "Print only what went wrong" },
  open: { type: "boolean", description: "Accepted: only open reviews are fixed anyway" },
  unaddressed: { type: "boolean", description: "Same as --open" },
} as const satisfies ArgsDef;

const discovery = ["all-branches", "branch", "newest-first"] as const;

/** What a flag that names a job cannot go with. */
const aloneWith = <const Name extends string>(flag: "apply" | "rebase", others: readonly Name[]) =>
  [...others, ...discovery, "batch", "batch-size", "list", "resume", "job"].map((name) => ({
    names: [flag, name as Name] as const,
  }));

export const fix = define({
  meta: {
    name: "fix",
    description:
      "Let a coding agent deal with open reviews: here and now with commits, or in the background.",
  },
  args,
  hiddenFlags: ["open", "unaddressed"],
  rest: { name: "job", description: "Numbers of the jobs (default: all that are open on this branch)" },
  exclusive: [
    { names: ["all-branches", "branch"] },
    ...(["all-branches", "branch", "newest-first", "list"] as const).map((name) => ({
      names: [name, "job"] as const,
    })),
    { names: ["list", "batch"] },
    { names: ["list", "batch-size"] },
    { names: ["batch", "batch-size"] },
    ...(["batch", "batch-size", "list", "resume"] as const).map((name) => ({
      names: [name, "background"] as const,
    })),
    ...aloneWith("apply", ["background", "rebase", "prompt", "agent", "model", "reasoning", "min-severity"]),
    ...aloneWith("rebase", ["background"]),
  ],
  tidiesUp: true,
  details: `The agent edits the working tree you stand in, which must have no uncommitted changes of tracked files, and
    commits. What it did is said in a comment on the review. The review is closed when a commit was made, or when the
    agent refuted every finding with a reason; otherwise it stays open. The new commit is reviewed as any other, and
    what that finds is dealt with in the same run if it is there in time.

    With --background the daemon has the agent work on a copy, and keeps what it changed as a patch: roborev show
    --patch prints it. --apply puts it into the working tree that has its branch checked out, which must have no
    uncommitted changes, and commits it with your git hooks; the review is commented and closed then. Where the code
    has changed too much since, --rebase has the patch made anew.`,
  exitCodes: {
    0: "everything was dealt with, or nothing is open",
    1: "a review stayed open, or something failed",
  },
  examples: [
    "roborev fix",
    "roborev fix --list --json",
    "roborev fix 42 43 --agent codex",
    "roborev fix --batch-size 5 --min-severity high",
    "roborev fix --background 42",
    "roborev fix --apply 44",
  ],
  async run(context) {
    const { args } = context;
    const [apply, rebase] = [args.apply, args.rebase].map((id) => (id === undefined ? id : jobNumber(id)));
    const request = await requestOf(context);
    refuseInReviewer(context.env, "fix reviews");
    if (apply !== undefined) return await applyBackgroundFix(context, { id: apply, quiet: args.quiet });
    if (rebase !== undefined) return await rebaseFix(context, { id: rebase, wish: wishOf(args, request) });
    const checkout = await requireCheckout(context.cwd(), (child) => `cd ${shellWord(child)} && roborev fix`);
    if (args.background)
      return await queueFixes(context, checkout, { ...request, wish: wishOf(args, request) });
    return args.list
      ? await listOpenReviews(context, checkout, request.discovery)
      : await runFix(context, checkout, request);
  },
});

type FixContext = Context<typeof args>;

function wishOf({ prompt }: FixContext["args"], request: FixRequest): FixWish {
  const { agent, model, reasoning, minSeverity: min_severity } = request;
  return defined({ prompt, agent, model, reasoning, min_severity });
}

async function requestOf({ args, rest }: FixContext): Promise<FixRequest> {
  const { branch, prompt } = args;
  if (prompt !== undefined && !args.background && args.rebase === undefined) {
    throw new UsageError("--prompt needs --background or --rebase", {
      hint: "For fixes here and now set fix_guidelines.",
    });
  }
  if (prompt?.trim() === "") throw new UsageError("--prompt is empty");
  const agent = await knownReviewer(args.agent);
  const reasoning = reasoningLevel(args.reasoning, false);
  const batch = batchOf(args.batch, args["batch-size"]);
  return {
    ids: [...new Set(rest.map(jobNumber))],
    discovery: {
      ...(branch === undefined ? {} : { branch }),
      allBranches: args["all-branches"],
      newestFirst: args["newest-first"],
    },
    ...(agent === undefined ? {} : { agent }),
    ...(args.model === undefined ? {} : { model: args.model }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(args["min-severity"] === undefined ? {} : { minSeverity: args["min-severity"] as MinSeverity }),
    ...(batch === undefined ? {} : { batch }),
    resume: args.resume,
    quiet: args.quiet,
  };
}

function batchOf(isBatch: boolean, size: string | undefined): FixRequest["batch"] {
  if (size !== undefined) return { maxEntries: wholeNumber(size, "--batch-size", { min: 1, max: 1000 }) };
  return isBatch ? {} : undefined;
}
