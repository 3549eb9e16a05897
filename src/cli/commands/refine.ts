import type { ArgsDef } from "citty";
import { type MinSeverity, severities } from "../../config/fields.ts";
import { UsageError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { wholeNumber } from "../arguments.ts";
import { type Context, define } from "../command.ts";
import { listOpenReviews } from "../open-reviews.ts";
import { requireCheckout } from "../place.ts";
import { type RefineRequest, runRefine } from "../refine-run.ts";
import { knownReviewer } from "../reviewer.ts";
import { reasoningLevel, refuseInReviewer } from "./review.ts";

const levels: MinSeverity[] = [...severities];

const args = {
  agent: { type: "string", valueHint: "name", description: "Agent that edits" },
  model: { type: "string", alias: "m", valueHint: "name", description: "Model of the agent" },
  reasoning: { type: "string", valueHint: "level", description: "How hard it thinks (default standard)" },
  fast: { type: "boolean", description: "Same as --reasoning fast, unless that says otherwise" },
  "min-severity": {
    type: "enum",
    options: levels,
    valueHint: "level",
    description: "Leave findings below it alone (default: what fails a review)",
  },
  "max-iterations": {
    type: "string",
    default: "10",
    valueHint: "n",
    description: "Attempts at most",
  },
  since: { type: "string", valueHint: "ref", description: "Commits after this one (default: of the branch)" },
  branch: {
    type: "string",
    valueHint: "name",
    description: "Only if this branch is checked out; with --list, reviews of it",
  },
  "all-branches": {
    type: "boolean",
    description: "Every branch with an open failed review, checked out in turn",
  },
  "newest-first": { type: "boolean", description: "With --all-branches or --list: the newest first" },
  list: { type: "boolean", description: "Only list the open failed reviews" },
  "allow-unsafe-agents": {
    type: "boolean",
    description: "Let the agent edit and run commands, whatever allow_unsafe_agents says",
  },
  quiet: { type: "boolean", alias: "q", description: "Print only what went wrong" },
} as const satisfies ArgsDef;

export const refine = define({
  meta: {
    name: "refine",
    description: "Let a coding agent work on this branch until its review passes.",
  },
  args,
  exclusive: [
    { names: ["all-branches", "branch"] },
    { names: ["all-branches", "since"] },
    { names: ["list", "since"] },
  ],
  tidiesUp: true,
  details: `The agent works in a worktree of its own. What it changed is applied here and committed with your git hooks,
    the new commit is reviewed, and so on, oldest commit first, until nothing is open. Then all commits together are
    reviewed. Nothing may be uncommitted here, and nobody else may work here meanwhile. It stops when the same finding
    comes back twice, when the files are again what they were, and when the agent changes nothing for what is found.`,
  exitCodes: {
    0: "the review of all commits passed, or there is nothing to do",
    1: "it stopped before that, or something failed",
  },
  examples: [
    "roborev refine",
    "roborev refine --since HEAD~3 --max-iterations 5",
    "roborev refine --min-severity high --agent codex",
    "roborev refine --list --all-branches",
  ],
  async run(context) {
    const request = await requestOf(context);
    refuseInReviewer(context.env, "refine");
    const checkout = await requireCheckout(
      context.cwd(),
      (child) => `cd ${shellWord(child)} && roborev refine`,
    );
    return context.args.list
      ? await listOpenReviews(context, checkout, request)
      : await runRefine(context, checkout, request);
  },
});

type RefineContext = Context<typeof args>;

async function requestOf({ args }: RefineContext): Promise<RefineRequest> {
  if (args["newest-first"] && !args["all-branches"] && !args.list) {
    throw new UsageError("--newest-first needs --all-branches or --list", {
      hint: "On one branch the oldest commit comes first: later ones build on it.",
    });
  }
  const agent = await knownReviewer(args.agent);
  const reasoning = reasoningLevel(args.reasoning, args.fast);
  const { model, since, branch, quiet } = args;
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(args["min-severity"] === undefined ? {} : { minSeverity: args["min-severity"] as MinSeverity }),
    ...(args["allow-unsafe-agents"] ? { allowUnsafeAgents: true as const } : {}),
    ...(since === undefined ? {} : { since }),
    ...(branch === undefined ? {} : { branch }),
    maxIterations: wholeNumber(args["max-iterations"], "--max-iterations", { min: 1, max: 1000 }),
    allBranches: args["all-branches"],
    newestFirst: args["newest-first"],
    quiet,
  };
}
