import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { runMarkName } from "../../lib/run-mark.ts";
import type { ReviewerProcess } from "../../store/store.ts";
import { killMarked } from "../agents/marked-processes.ts";
import type { ReviewerOutcome } from "../agents/outcome.ts";
import { killReviewerGroupNow } from "../agents/process-identity.ts";
import { createRenderer } from "../agents/render/renderer.ts";
import { runReviewer } from "../agents/spawn.ts";
import type { FixAgent, FixServices } from "./services.ts";

export interface AgentWork {
  jobId: number;
  prompt: string;
  /** Conversation to continue. */
  sessionId?: string;
  /** Variables that it gets besides. */
  variables?: Readonly<Record<string, string>>;
}

/** Services that running an agent needs. */
type RunServices = Pick<
  FixServices,
  "checkout" | "client" | "lock" | "now" | "progress" | "env" | "scratchDirectory" | "signal"
> & { settings: Pick<FixServices["settings"], "timeoutMs"> };

/** Lets an agent edit the working tree. When this resolves it has ended, and so has everything in its group. */
export async function runFixAgent(
  services: RunServices,
  agent: FixAgent,
  work: AgentWork,
): Promise<ReviewerOutcome> {
  const { checkout, lock, progress, env, scratchDirectory, signal, settings } = services;
  const { reviewer, command, reasoning, model, anthropicApiKey } = agent;
  using _ = progress.agent(reviewer.name);
  const renderer = createRenderer(reviewer.name);
  let running: ReviewerProcess | undefined;
  let remembered: Promise<void> | undefined;
  const kill = () => {
    if (running) killReviewerGroupNow(running);
    killMarked(lock.mark);
  };
  process.on("exit", kill); // a second interrupt does not wait for the first to be obeyed
  try {
    const outcome = await runReviewer(reviewer, {
      ...{ agentic: true, command, reasoning, scratchDirectory, signal },
      ...(model === undefined ? {} : { model }),
      ...(anthropicApiKey === undefined ? {} : { anthropicApiKey }),
      ...(work.sessionId === undefined ? {} : { sessionId: work.sessionId }),
      ...(work.variables === undefined ? {} : { variables: work.variables }),
      jobId: work.jobId,
      cwd: checkout.worktreeRoot,
      prompt: work.prompt,
      timeoutMs: settings.timeoutMs,
      env: { ...env, [runMarkName]: lock.mark },
      onStart({ pid, startTime }) {
        running = { pid, startTime };
        remembered = lock.remember(running);
        remembered.catch(() => {}); // awaited below
      },
      onOutput: (chunk) => progress.output(renderer.feed(chunk)),
      onCutShort: kill,
    });
    await remembered;
    return !outcome.ok && outcome.reason === "quota"
      ? await reported(services, reviewer.name, outcome)
      : outcome;
  } finally {
    progress.output(renderer.end());
    process.removeListener("exit", kill);
  }
}

/** Tells the daemon, whose reviews by the same agent are to wait as well, and takes its word for how long. */
async function reported(
  { client, now, progress }: Pick<RunServices, "client" | "now" | "progress">,
  agent: string,
  outcome: Extract<ReviewerOutcome, { ok: false }>,
): Promise<ReviewerOutcome> {
  const { message: reason, cooldownMs } = outcome;
  try {
    const rest = cooldownMs === undefined ? {} : { rest_ms: Math.max(0, Math.round(cooldownMs)) };
    const { until } = await client.reportQuota({ agent, reason, ...rest });
    return { ...outcome, cooldownMs: Date.parse(until) - now().getTime() };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    progress.warn(`The daemon was not told that ${agent} has no quota: ${errorMessage(error)}`);
    return outcome;
  }
}
