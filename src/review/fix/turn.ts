import { firstParentCommits, isAncestor } from "../../git/lineage.ts";
import { operationInProgress } from "../../git/state.ts";
import { type WorkingState, workingState } from "../../git/working-state.ts";
import type { ReviewerOutcome } from "../agents/outcome.ts";
import { buildCommitRetryPrompt } from "../prompt/fix/commit-retry.ts";
import { runFixAgent } from "./agent-run.ts";
import { needsCommitRetry } from "./outcome.ts";
import type { FixAgent, FixServices } from "./services.ts";
import { type TreeChange, treeChange } from "./tree-change.ts";

export interface FixTurn {
  agent: ReviewerOutcome;
  change: TreeChange;
  /** Conversation that can be continued. */
  sessionId?: string;
}

export interface TurnWork {
  jobId: number;
  prompt: string;
  before: WorkingState & { head: string };
  sessionId?: string;
  /** Whether a last message refutes everything. */
  refutes(text: string): boolean;
}

/** One agent at work, and once more to commit what it left; then what it did to the working tree. */
export async function fixTurn(services: FixServices, agent: FixAgent, work: TurnWork): Promise<FixTurn> {
  const { jobId, prompt, before } = work;
  const first = await runFixAgent(services, agent, {
    ...{ jobId, prompt },
    ...(work.sessionId === undefined ? {} : { sessionId: work.sessionId }),
  });
  const change = await observedChange(services, before);
  const sessionId = first.ok ? first.sessionId : undefined;
  const turn = { agent: first, change, ...(sessionId === undefined ? {} : { sessionId }) };
  if (!needsCommitRetry(first, change, first.ok && work.refutes(first.text))) return turn;
  services.progress.say("It left changes that are not committed. Asking it to commit them.");
  const { guidelines, credit } = services.settings;
  const retried = await runFixAgent(services, agent, {
    jobId,
    prompt: buildCommitRetryPrompt({
      untracked: [...before.untracked.keys()],
      ...{ nonce: crypto.randomUUID(), credit },
      ...(guidelines === undefined ? {} : { guidelines }),
    }),
    ...(sessionId === undefined ? {} : { sessionId }),
  });
  // What counts is what it says about the findings, which was the first time; but an end that was no end counts.
  const agentOutcome = retried.ok || retried.reason === "empty" ? first : retried;
  return { ...turn, agent: agentOutcome, change: await observedChange(services, before) };
}

/** What became of the working tree since. */
export async function observedChange(
  { checkout }: Pick<FixServices, "checkout">,
  before: WorkingState & { head: string },
): Promise<TreeChange> {
  const after = await workingState(checkout);
  const cwd = checkout.worktreeRoot;
  const { head } = after;
  const isSame = head === before.head;
  const leads = head !== undefined && (isSame || (await isAncestor(cwd, before.head, head)));
  const commits = isSame
    ? 0
    : leads
      ? (await firstParentCommits(cwd, { to: head, from: before.head })).length
      : undefined;
  return treeChange({ before, after, commits, operation: operationInProgress(checkout) });
}
