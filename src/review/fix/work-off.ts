import type { ReviewResponse } from "../../daemon/api/responses.ts";
import { type FixEntry, nothingAsked } from "../prompt/fix/entry.ts";
import { buildFixPrompt, type FixPromptInput, fitsOnePrompt } from "../prompt/fix/fix-prompt.ts";
import { accountOf } from "./account.ts";
import { throwIfEndsRun } from "./agent-failure.ts";
import { packBatches } from "./batches.ts";
import { entryOf } from "./candidates.ts";
import { decideFix, type FixOutcome } from "./outcome.ts";
import { requireReady } from "./ready.ts";
import { recordFix } from "./record.ts";
import { restedAgent } from "./rested-agent.ts";
import { ensureReviewed } from "./reviewed-commit.ts";
import type { FixResult, FixServices } from "./services.ts";
import { fixTurn } from "./turn.ts";

/** What is remembered from one agent to the next. */
export interface RunMemory {
  /** The conversation to continue, with `resume`. */
  sessionId?: string;
}

/** What came of one batch. */
export interface WorkedOff {
  results: FixResult[];
  /** What the agent left makes it impossible to go on. */
  stops: boolean;
}

/** Puts reviews together as the settings say: each alone, or as many as one prompt takes. */
export function batchesOf(services: FixServices, reviews: readonly ReviewResponse[]): ReviewResponse[][] {
  const { batch, asksAgain } = services.settings;
  if (batch === undefined) return reviews.map((review) => [review]);
  const input = promptInput(services, []);
  const entries = new Map(reviews.map((review) => [review, entryOf(review, asksAgain)]));
  return packBatches(reviews, {
    ...batch,
    fits: (some) =>
      fitsOnePrompt(
        some.map((review) => entries.get(review) as FixEntry),
        input,
      ),
  });
}

/** Lets an agent deal with these reviews, records what came of it on each, and sees to it that a commit is reviewed. */
export async function workOff(
  services: FixServices,
  reviews: readonly ReviewResponse[],
  memory: RunMemory,
): Promise<WorkedOff> {
  const { progress, settings } = services;
  const all = reviews.map((review) => entryOf(review, settings.asksAgain));
  const entries = all.filter((entry) => nothingAsked(entry, settings.floor) === undefined);
  const results = all.filter((entry) => !entries.includes(entry)).map((entry) => leftAlone(entry, services));
  const [first] = entries;
  if (first === undefined) return { results, stops: false };
  const before = await requireReady(services.checkout);
  const agent = await restedAgent(services);
  const { floor } = settings;
  const account = (text: string, entry: FixEntry) =>
    accountOf(text, entry, { floor, isOnly: entries.length === 1 });
  const turn = await fixTurn(services, agent, {
    jobId: first.jobId,
    prompt: buildFixPrompt(entries, promptInput(services, [...before.untracked.keys()])),
    before,
    ...(settings.resume && memory.sessionId !== undefined ? { sessionId: memory.sessionId } : {}),
    refutes: (text) => entries.every((entry) => account(text, entry).refuted),
  });
  if (turn.sessionId !== undefined) memory.sessionId = turn.sessionId;
  throwIfEndsRun(services, agent.reviewer.name, turn);
  const outcomes: FixOutcome[] = [];
  for (const entry of entries) {
    const said = account(turn.agent.ok ? turn.agent.text : "", entry);
    const outcome = decideFix({ ...turn, said });
    outcomes.push(outcome);
    const report = { ...turn, outcome, agentName: agent.reviewer.name };
    const result = await recordFix(services, entry.jobId, report, said.words);
    progress.result(result);
    results.push(result);
  }
  if (turn.change.kind === "committed") await seeToReview(services, before, turn.change);
  return { results, stops: outcomes.some(({ stops }) => stops) };
}

function promptInput({ settings }: FixServices, untracked: string[]): FixPromptInput {
  const { floor, guidelines, credit, maxPromptBytes: maxBytes } = settings;
  return {
    ...(floor === undefined ? {} : { floor }),
    ...(guidelines === undefined ? {} : { guidelines }),
    ...{ credit, untracked, maxBytes, nonce: crypto.randomUUID() },
  };
}

function leftAlone(entry: FixEntry, { progress, settings }: FixServices): FixResult {
  const { jobId } = entry;
  const result: FixResult = {
    job_id: jobId,
    outcome: "skipped",
    closed: false,
    message: `Nothing to do: ${nothingAsked(entry, settings.floor)}. It stays open; to close it: roborev close ${jobId}`,
  };
  progress.result(result);
  return result;
}

/** Sees to it that a commit is reviewed, and says how. */
export async function seeToReview(
  services: Pick<FixServices, "checkout" | "client" | "pause" | "progress">,
  before: { head: string; branch: string },
  { sha, count }: { sha: string; count: number },
): Promise<void> {
  const reviewed = await ensureReviewed(services, { sha, count, base: before.head, branch: before.branch });
  const commit = `Commit ${sha.slice(0, 7)}`;
  if ("skipped" in reviewed) services.progress.say(`${commit} is not reviewed: ${reviewed.skipped}.`);
  else services.progress.say(`${commit} is reviewed as job ${reviewed.job.id}.`);
}
