import { ensurePrivateDirectory } from "../fs/private.ts";
import type { Job, JobType } from "../store/schema.ts";
import type { SelectedReviewer } from "./agents/select.ts";
import { snapshotReading } from "./agents/snapshot-reading.ts";
import { runFixJob } from "./background-fix/run-fix-job.ts";
import { conclude } from "./conclude.ts";
import { gatherContext, type ReviewContext } from "./context.ts";
import type { Turn } from "./engine.ts";
import type { JobOutcome } from "./job-outcome.ts";
import { gatherMaterial, type Material, skipReason } from "./material.ts";
import type { PromptInput } from "./prompt/input.ts";
import { buildReviewPrompt } from "./prompt/review-prompt.ts";
import type { SnapshotReading } from "./prompt/snapshot.ts";
import { type PartsOutcome, runParts } from "./run-parts.ts";
import type { RunServices } from "./run-services.ts";
import { selectRested } from "./select-rested.ts";
import { policyFailure, type WorkspaceFile, withReviewWorktree } from "./workspace.ts";

/**
 * Returns what a worker does with a claimed job: prompt, reviewer, verdict, all stored by the time it resolves.
 * Whatever it is at when the job is canceled, it goes no further than to the next step.
 */
export function createJobRunner(services: RunServices, gather = gatherMaterial) {
  /** Reviewers that did not show, in this daemon's life, that they read their file: they get several prompts. */
  const nonReaders = new Set<string>();
  return async (job: Job, turn: Turn): Promise<JobOutcome> => {
    const { workerId, signal } = turn;
    if (signal.aborted) return aborted;
    if (job.job_type === "fix") return runFixJob(services, job, turn);
    if (!reviews.has(job.job_type))
      return failed(`this version of roborev does not run ${job.job_type} jobs`);
    const global = (await services.config.loadOrKeep(services.configPath)).loaded.config;
    await ensurePrivateDirectory(services.paths.worktrees);
    const material = await gather(job, global, {
      scratchDirectory: services.paths.worktrees,
      onWarning: services.onWarning,
    });
    if (signal.aborted) return aborted;
    const skip = skipReason(material);
    if (skip !== undefined) return { kind: "skipped", reason: skip };
    if (material.diff.truncated) return failed(`the diff is larger than ${material.diff.bytes} bytes`);
    await services.pathReady;
    const selected = await selectRested(services, job, material.settings, global);
    if ("kind" in selected) return selected;
    const context = await services.database((store) => gatherContext(store, job, material));
    const reading = nonReaders.has(selected.reviewer.name) ? undefined : readingOf(material, selected);
    const given = { context, date: services.clock.now(), reading };
    const prompt = buildReviewPrompt(promptInput(job, material, selected, given));
    if ("tooLarge" in prompt) return failed(prompt.reason);
    turn.expectWithin(material.settings.timeoutMs * prompt.prompts.length);

    const claim = { job, workerId, material, selected, prompt };
    const workplace = { job, material, signal, file: prompt.snapshot };
    const parts = await inWorkspace(services, workplace, (cwd) =>
      runParts(services, { ...claim, settings: material.settings, signal, global, cwd }),
    );
    if (!parts.ok) return parts.outcome;
    const onUnread = () => void nonReaders.add(selected.reviewer.name);
    return conclude(services, { ...claim, global, parts: parts.reviews, onUnread });
  };
}

/** The others came with the Go program's database: what they ask for is no review of their commit. */
const reviews: ReadonlySet<JobType> = new Set<JobType>(["review", "range", "dirty"]);

const aborted: JobOutcome = { kind: "aborted" };
const failed = (error: string): JobOutcome => ({ kind: "failed", error, retryable: false });

/** Reviewers that are addressed in a way of their own. */
const families = ["claude-code", "codex", "gemini", "test"] as const;

function promptInput(
  job: Job,
  { settings, diff, commits }: Material,
  { reviewer }: SelectedReviewer,
  given: { context: ReviewContext; date: Date; reading: SnapshotReading | undefined },
): PromptInput {
  const { context, date, reading } = given;
  const { job_type: kind, review_type: type } = job;
  return {
    ...context,
    kind: kind === "range" || kind === "dirty" ? kind : "commit",
    reviewType: type === "security" || type === "design" ? type : "default",
    agentFamily: families.find((name) => name === reviewer.name) ?? "other",
    repoName: job.repo_name ?? "",
    commits,
    diff,
    guidelines: settings.guidelines.join("\n\n"),
    ...(settings.minSeverity === undefined ? {} : { minSeverity: settings.minSeverity.value }),
    maxBytes: settings.maxPromptBytes,
    date,
    nonce: crypto.randomUUID(),
    ...(reading === undefined ? {} : { snapshot: { ...reading, secret: crypto.randomUUID() } }),
  };
}

/** Only a worktree of ours holds a file for the reviewer; nothing is ever put into the user's checkout. */
const readingOf = ({ sha }: Material, { reviewer }: SelectedReviewer): SnapshotReading | undefined =>
  sha === undefined ? undefined : snapshotReading[reviewer.name];

interface Workplace {
  job: Job;
  material: Material;
  signal: AbortSignal;
  /** The diff, where the reviewer reads it from a file. */
  file: WorkspaceFile | undefined;
}

/** Commits and ranges in a worktree of their own, which must come back unchanged; the working tree where it is. */
async function inWorkspace(
  { paths, onWarning }: RunServices,
  { job, material, signal, file }: Workplace,
  work: (cwd: string) => Promise<PartsOutcome>,
): Promise<PartsOutcome> {
  const { checkout, sha } = material;
  if (sha === undefined) return work(checkout.worktreeRoot);
  const name = `job-${job.id}-${crypto.randomUUID().slice(0, 8)}`;
  const place = {
    ...{ mainRoot: checkout.mainRoot, directory: paths.worktrees, name, sha },
    ...(file === undefined ? {} : { file }),
  };
  try {
    return await withReviewWorktree(place, async (workspace) => {
      if (signal.aborted) return { ok: false, outcome: aborted };
      const parts = await work(workspace.path);
      // A run that failed left no review, but it may have left something for the user's next git.
      await (parts.ok ? workspace.verifyUntouched() : workspace.verifyRepository());
      return parts;
    });
  } catch (error) {
    const failure = policyFailure(error);
    if (failure === undefined) throw error;
    if (signal.aborted) onWarning(`job ${job.id}: ${failure.error}`); // a canceled job has no error to tell it
    return { ok: false, outcome: failure };
  }
}
