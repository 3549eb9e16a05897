import { commitDiff, rangeDiff } from "../../git/diff.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import { type Account, accountOf } from "../fix/account.ts";
import { throwIfEndsRun } from "../fix/agent-failure.ts";
import { runFixAgent } from "../fix/agent-run.ts";
import { type Committed, commitChange } from "../fix/commit-change.ts";
import { commitMessage } from "../fix/commit-message.ts";
import { decideFix, hasEnded } from "../fix/outcome.ts";
import { withOwnTree, withoutHooks } from "../fix/own-tree.ts";
import { requireReady } from "../fix/ready.ts";
import { recordFix } from "../fix/record.ts";
import { restedAgent } from "../fix/rested-agent.ts";
import type { FixResult } from "../fix/services.ts";
import type { TreeChange } from "../fix/tree-change.ts";
import { observedChange } from "../fix/turn.ts";
import { buildAddressPrompt } from "../prompt/fix/address.ts";
import type { FixEntry } from "../prompt/fix/entry.ts";
import type { RefineServices } from "./services.ts";

/** What came of one attempt. */
export interface Attempt {
  /** Absent where the agent failed: there may be another attempt. */
  result?: FixResult;
  /** What was committed, on what. */
  commit?: Committed & { base: string };
}

const maxDiffBytes = 125_000;

/** Lets an agent deal with a review in a worktree of its own, commits what it changed, and says so on the review. */
export async function address(services: RefineServices, entry: FixEntry): Promise<Attempt> {
  const { checkout, progress, settings, signal } = services;
  const { jobId } = entry;
  const before = await requireReady(checkout);
  const agent = await restedAgent(services);
  const agentName = agent.reviewer.name;
  const prompt = buildAddressPrompt(entry, {
    ...(settings.floor === undefined ? {} : { floor: settings.floor }),
    ...{ maxBytes: settings.maxPromptBytes, guidelines: services.guidelines },
    ...{ diff: await reviewedDiff(services, entry), nonce: crypto.randomUUID() },
  });
  const { outcome, patch } = await withOwnTree(services, before.head, async (tree) => {
    const where = { ...services, checkout: { ...checkout, worktreeRoot: tree.path } };
    const outcome = await runFixAgent(where, agent, { jobId, prompt, variables: withoutHooks });
    const isUsed = hasEnded(outcome) && !signal.aborted;
    return { outcome, patch: isUsed ? await tree.change() : undefined };
  });
  throwIfEndsRun(services, agentName, { agent: outcome, change: { kind: "none" } });
  if (!hasEnded(outcome)) {
    progress.warn(`Job ${jobId}: ${outcome.ok ? "the agent failed" : outcome.message}. Nothing was changed.`);
    return {};
  }
  requireSame(await observedChange(services, before));
  const text = outcome.ok ? outcome.text : "";
  const message = commitMessage(jobId, { text, agentName });
  const commit = patch && (await commitChange(services, agent, { jobId, before, patch, message }));
  const change: TreeChange = commit ?? { kind: "none" };
  const said = accountOf(text, entry, { floor: settings.floor, isOnly: true });
  const result = await record(services, entry, { agent: outcome, agentName, change, said });
  return { result, ...(commit === undefined ? {} : { commit: { ...commit, base: before.head } }) };
}

async function record(
  services: RefineServices,
  { jobId }: FixEntry,
  {
    said,
    ...rest
  }: Pick<Parameters<typeof recordFix>[2], "agent" | "agentName" | "change"> & { said: Account },
): Promise<FixResult> {
  const decided = decideFix({ ...rest, said });
  // Nobody looked at a refutation yet: the next review of the branch will, and it is told of it.
  const outcome = decided.kind === "refuted" ? { ...decided, closes: false } : decided;
  const result = await recordFix(services, jobId, { ...rest, outcome }, said.words);
  services.progress.result(result);
  return result;
}

/** Throws where somebody else was at work in the user's working tree: the change was made for what it held before. */
function requireSame(change: TreeChange): void {
  if (change.kind === "none" || (change.kind === "uncommitted" && !change.isTracked)) return;
  const what =
    change.kind === "astray"
      ? `somebody ${singleLine(change.what)}`
      : change.kind === "committed"
        ? `HEAD moved to ${change.sha.slice(0, 7)}`
        : "tracked files were changed";
  throw new RoborevError(`in the working tree ${what} while the agent worked elsewhere`, {
    code: "E_MOVED",
    hint: "What the agent did was not taken over. Start roborev refine again when nobody else works here.",
  });
}

/** What was reviewed, as far as it goes into a prompt. */
async function reviewedDiff({ checkout, lock }: RefineServices, { gitRef }: FixEntry): Promise<string> {
  const cwd = checkout.worktreeRoot;
  const [base, head] = gitRef.split("..") as [string, string?];
  const options = { maxBytes: maxDiffBytes, scratchDirectory: lock.trees };
  const diff = await (head === undefined
    ? commitDiff(cwd, base, options)
    : rangeDiff(cwd, base, head, options));
  return diff.truncated ? "" : diff.text;
}
