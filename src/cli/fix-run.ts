import { commitCredit } from "../config/commit-credit.ts";
import type { Checkout } from "../git/checkout.ts";
import { ExitCode } from "../lib/errors.ts";
import type { Discovery, FixRun } from "../review/fix/run-fix.ts";
import type { FixServices } from "../review/fix/services.ts";
import type { Context } from "./command.ts";
import { withEditSession } from "./edit-session.ts";
import { type EditRequest, editSettings } from "./edit-settings.ts";
import { noOpenReviewsText } from "./fix-list.ts";
import { fixProgress } from "./fix-progress.ts";

/** What `roborev fix` was asked for. */
export interface FixRequest extends EditRequest {
  /** None: whatever is open. */
  ids: number[];
  discovery: Discovery;
  batch?: { maxEntries?: number };
  resume: boolean;
  quiet: boolean;
}

/** Lets an agent deal with reviews in this working tree, with its lock held; the exit status. */
export async function runFix(context: Context, checkout: Checkout, request: FixRequest): Promise<number> {
  const { requireReady } = await import("../review/fix/ready.ts");
  await requireReady(checkout);
  const { resolved, global, agent } = await editSettings(context, checkout, "fix", request);
  const settings: FixServices["settings"] = {
    ...(resolved.minSeverity === undefined ? {} : { floor: resolved.minSeverity.value }),
    ...(global.fix_guidelines === undefined ? {} : { guidelines: global.fix_guidelines }),
    ...(request.batch === undefined ? {} : { batch: request.batch }),
    credit: commitCredit(global),
    maxPromptBytes: resolved.maxPromptBytes,
    timeoutMs: resolved.timeoutMs,
    resume: request.resume,
  };
  const progress = fixProgress(context, request.quiet);
  const done = await withEditSession(context, { checkout, progress }, (session) =>
    deal(request, { ...session, command: "fix", settings, agent: () => agent(progress) }),
  );
  return report(context, request, done);
}

async function deal({ ids, discovery }: FixRequest, services: FixServices): Promise<FixRun> {
  const { fixNamed, fixOpen } = await import("../review/fix/run-fix.ts");
  return ids.length > 0 ? await fixNamed(services, ids) : await fixOpen(services, discovery);
}

function report({ flags, out }: Context, { quiet }: FixRequest, done: FixRun): number {
  const { results, stopped, nothingOpen } = done;
  if (flags.json) out.json({ results, ...(stopped === undefined ? {} : { stopped }) });
  else if (nothingOpen && !quiet) out.note(noOpenReviewsText(nothingOpen));
  if (stopped !== undefined) out.note(`Stopped: ${stopped}.`);
  const isLeft = results.some(({ closed, outcome }) => !closed && outcome !== "skipped");
  return stopped === undefined && !isLeft ? ExitCode.done : ExitCode.failed;
}
