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
  "checkout" | "lock" | "progress" | "env" | "scratchDirectory" | "signal"
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
    return outcome;
  } finally {
    progress.output(renderer.end());
    process.removeListener("exit", kill);
  }
}
