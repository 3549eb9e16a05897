import { requireUnsafeAgents } from "../../config/runtime.ts";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import type { TreePatch } from "../../git/tree-patch.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import { jobMark, killMarked } from "../agents/marked-processes.ts";
import type { Turn } from "../engine.ts";
import { withOwnTree, withoutHooks } from "../fix/own-tree.ts";
import type { JobOutcome } from "../job-outcome.ts";
import { checkoutOf, settingsOf } from "../job-settings.ts";
import { readRepoConfig } from "../repo-config.ts";
import { type PartsRun, type ReviewText, runParts } from "../run-parts.ts";
import type { RunServices } from "../run-services.ts";
import { selectRested } from "../select-rested.ts";
import { policyFailure, watchRepository } from "../workspace.ts";

/** What nobody reads or applies any more. */
const maxPatchBytes = 20 * 1024 * 1024;

const failed = (error: string): JobOutcome => ({ kind: "failed", error, retryable: false });

/**
 * Lets an agent edit a worktree of its own, and stores what it changed there as a patch, together with its answer.
 * Without a change there is no answer worth keeping: the job has failed.
 */
export async function runFixJob(services: RunServices, job: Job, turn: Turn): Promise<JobOutcome> {
  const { workerId, signal } = turn;
  const { base_sha: base, prompt } = job;
  if (base === undefined || prompt === undefined)
    return failed("it was queued by another version of roborev, which does not say what to do where");
  const { config: global } = (await services.config.loadOrKeep(services.configPath)).loaded;
  const refusal = refusalOf(() => requireUnsafeAgents(global, { byUser: true }));
  if (refusal !== undefined) return failed(refusal);
  const checkout = await checkoutOf(job);
  const repo = await readRepoConfig(checkout, { dirty: false, onWarning: services.onWarning });
  const settings = settingsOf(job, repo, global);
  await services.pathReady;
  const selected = await selectRested(services, job, settings, global);
  if ("kind" in selected) return selected;
  const { name } = selected.reviewer;
  if (selected.reviewer.builtIn) return failed(`the built-in reviewer ${name} cannot fix anything`);
  turn.expectWithin(settings.timeoutMs);
  const run = { job, workerId, selected, prompt: { prompts: [prompt] }, settings, signal, global };
  const done = await inOwnTree(services, { mainRoot: checkout.mainRoot, base, run });
  if ("outcome" in done) return done.outcome;
  const { answer, patch } = done;
  if (patch === undefined) return failed(unchangedText(name, answer.text));
  if (patch.bytes.length > maxPatchBytes)
    return failed(`the change of ${name} is larger than ${maxPatchBytes} bytes`);
  await services.database((store) =>
    store.jobs.complete(job.id, workerId, {
      ...{ agent: name, prompt, output: answer.text, findings: [], patch: patch.bytes },
      ...(answer.sessionId === undefined ? {} : { sessionId: answer.sessionId }),
      ...(answer.usage === undefined ? {} : { tokenUsage: answer.usage }),
    }),
  );
  return { kind: "completed" };
}

interface TreeRun {
  mainRoot: string;
  base: string;
  run: Omit<PartsRun, "cwd">;
}

/** What the agent says and what it changed. Whatever it started has ended by then, and the worktree is gone. */
async function inOwnTree(
  services: RunServices,
  { mainRoot, base, run }: TreeRun,
): Promise<{ outcome: JobOutcome } | { answer: ReviewText; patch: TreePatch | undefined }> {
  const { paths, onWarning } = services;
  const { job, signal } = run;
  const mark = jobMark(paths.dataDir, job.id);
  await ensurePrivateDirectory(paths.worktrees);
  try {
    const place = { checkout: { mainRoot }, lock: { mark, trees: paths.worktrees } };
    return await withOwnTree(place, base, async (tree) => {
      if (signal.aborted) return { outcome: { kind: "aborted" } };
      const verifyRepository = await watchRepository(mainRoot);
      const parts = await runParts(services, { ...run, cwd: tree.path, edits: { variables: withoutHooks } });
      killMarked(mark);
      // One that failed left no change, but it may have left something for the user's next git.
      await verifyRepository();
      if (!parts.ok) return { outcome: parts.outcome };
      const answer = parts.reviews[0] as ReviewText;
      return await tree.change().then((patch) => ({ answer, patch }), noPatch);
    });
  } catch (error) {
    const failure = policyFailure(error);
    if (failure === undefined) throw error;
    if (signal.aborted) onWarning(`job ${job.id}: ${failure.error}`); // a canceled job has no error to tell it
    return { outcome: failure };
  }
}

/** Another run of the agent would cost as much again, and leave the same. */
function noPatch(error: unknown): { outcome: JobOutcome } {
  if (!(error instanceof RoborevError)) throw error;
  return { outcome: failed(`what the agent left becomes no patch: ${errorMessage(error)}`) };
}

function refusalOf(check: () => void): string | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof RoborevError) return errorMessage(error);
    throw error;
  }
}

function unchangedText(name: string, said: string): string {
  const line = truncateUtf8(singleLine(said), 500);
  return `no-change: ${name} changed nothing${line === "" ? "" : `. It says: ${line}`}`;
}
