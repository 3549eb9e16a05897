import { patientClient } from "../client/patience.ts";
import type { MinSeverity } from "../config/fields.ts";
import { loadGlobalConfig } from "../config/load.ts";
import { resolveReviewSettings, type SettingsRequest } from "../config/resolve.ts";
import { requireUnsafeAgents } from "../config/runtime.ts";
import type { Checkout } from "../git/checkout.ts";
import { ExitCode } from "../lib/errors.ts";
import type { Discovery, FixRun } from "../review/fix/run-fix.ts";
import type { FixServices } from "../review/fix/services.ts";
import type { Context } from "./command.ts";
import { connect } from "./connect.ts";
import { endSignals } from "./end-signals.ts";
import { noOpenReviewsText } from "./fix-list.ts";
import { fixProgress } from "./fix-progress.ts";

/** What `roborev fix` was asked for. */
export interface FixRequest {
  /** None: whatever is open. */
  ids: number[];
  discovery: Discovery;
  agent?: string;
  model?: string;
  reasoning?: string;
  minSeverity?: MinSeverity;
  batch?: { maxEntries?: number };
  resume: boolean;
  quiet: boolean;
}

/** Lets an agent deal with reviews in this working tree, with its lock held; the exit status. */
export async function runFix(context: Context, checkout: Checkout, request: FixRequest): Promise<number> {
  const { requireReady } = await import("../review/fix/ready.ts");
  const { lockWorktree } = await import("../review/fix/worktree-lock.ts");
  await requireReady(checkout);
  const { settings, agent } = await readSettings(context, checkout, request);
  const progress = fixProgress(context, request.quiet);
  using ending = endSignals(context.signal);
  const lock = await lockWorktree(context.paths().fixes, checkout.worktreeRoot);
  try {
    if (lock.wasKilled) {
      progress.warn("An earlier roborev fix was killed here. What its agent still did has been ended.");
      await requireReady(checkout); // it may have worked until now
    }
    const { signal } = ending;
    const client = patientClient(await connect(context), {
      revive: () => connect(context),
      onLost: () => progress.say("The daemon does not answer. Waiting for it."),
      signal,
    });
    const done = await deal(request, {
      ...{ checkout, client, lock, progress, settings, signal },
      agent: async () => agent((line) => progress.say(line)),
      env: context.env,
      scratchDirectory: context.paths().fixes,
      now: context.now,
      pause: (ms) => Bun.sleep(ms),
    });
    return report(context, request, done);
  } finally {
    await lock.release();
  }
}

async function deal({ ids, discovery }: FixRequest, services: FixServices): Promise<FixRun> {
  const { fixNamed, fixOpen } = await import("../review/fix/run-fix.ts");
  return ids.length > 0 ? await fixNamed(services, ids) : await fixOpen(services, discovery);
}

/** What the configuration says, and how to get the agent that it names. */
async function readSettings(context: Context, checkout: Checkout, request: FixRequest) {
  const { readRepoConfig } = await import("../review/repo-config.ts");
  const { chooseFixAgent } = await import("../review/fix/choose-agent.ts");
  const { config: global } = await loadGlobalConfig(context.paths().config);
  requireUnsafeAgents(global, { byUser: true });
  const onWarning = (line: string) => context.out.detail(line);
  const repo = await readRepoConfig(checkout, { dirty: false, onWarning });
  const asked: SettingsRequest = {
    workflow: "fix",
    ...(request.agent === undefined ? {} : { agent: request.agent }),
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(request.reasoning === undefined ? {} : { reasoning: request.reasoning }),
    ...(request.minSeverity === undefined ? {} : { minSeverity: request.minSeverity }),
  };
  const resolved = resolveReviewSettings({ request: asked, repo, global });
  const settings: FixServices["settings"] = {
    ...(resolved.minSeverity === undefined ? {} : { floor: resolved.minSeverity.value }),
    ...(global.fix_guidelines === undefined ? {} : { guidelines: global.fix_guidelines }),
    ...(request.batch === undefined ? {} : { batch: request.batch }),
    maxPromptBytes: resolved.maxPromptBytes,
    timeoutMs: resolved.timeoutMs,
    resume: request.resume,
  };
  const agent = (onBackup: (line: string) => void) =>
    chooseFixAgent(resolved, { global, env: context.env, onBackup });
  return { settings, agent };
}

function report({ flags, out }: Context, { quiet }: FixRequest, done: FixRun): number {
  const { results, stopped, nothingOpen } = done;
  if (flags.json) out.json({ results, ...(stopped === undefined ? {} : { stopped }) });
  else if (nothingOpen && !quiet) out.note(noOpenReviewsText(nothingOpen));
  if (stopped !== undefined) out.note(`Stopped: ${stopped}.`);
  const isLeft = results.some(({ closed, outcome }) => !closed && outcome !== "skipped");
  return stopped === undefined && !isLeft ? ExitCode.done : ExitCode.failed;
}
