import { tryParseReasoning } from "../config/reasoning.ts";
import { expandSecret } from "../config/runtime.ts";
import type { GlobalConfig } from "../config/schema.ts";
import { errorMessage } from "../lib/errors.ts";
import { redactedCommandLine } from "../lib/redact.ts";
import type { ReviewerProcess } from "../store/store.ts";
import type { ReviewerOutcome } from "./agents/outcome.ts";
import type { ReviewerRun } from "./agents/reviewer.ts";
import { runReviewer } from "./agents/spawn.ts";
import type { JobOutcome } from "./engine.ts";
import { openJobLog } from "./job-log.ts";
import { type PreparedJob, partSeparator, type RunServices } from "./run-services.ts";

export type ReviewText = Extract<ReviewerOutcome, { ok: true }>;

export type PartsOutcome = { ok: true; reviews: ReviewText[] } | { ok: false; outcome: JobOutcome };

export interface PartsRun extends PreparedJob {
  signal: AbortSignal;
  global: GlobalConfig;
  /** Where the reviewer works. */
  cwd: string;
}

/** One reviewer process per prompt, one after the other; the first that fails fails the job. */
export async function runParts(services: RunServices, run: PartsRun): Promise<PartsOutcome> {
  const { job, prompt, selected } = run;
  const log = await openJobLog(services.paths.jobLogs, job.id, (error) =>
    services.onWarning(`log of job ${job.id}: ${errorMessage(error)}`),
  );
  const reviews: ReviewText[] = [];
  services.onStarted(job);
  try {
    for (const text of prompt.prompts) {
      const outcome = await runReviewer(selected.reviewer, {
        ...reviewerRun(run),
        scratchDirectory: services.paths.worktrees,
        prompt: text,
        onStart: (started) => recordStart(services, run, started),
        onOutput: (chunk) => log.write(chunk),
      });
      if (!outcome.ok) return { ok: false, outcome: failureOf(outcome) };
      reviews.push(outcome);
    }
  } finally {
    await log.close();
  }
  return { ok: true, reviews };
}

function reviewerRun({
  job,
  selected,
  cwd,
  global,
  material,
  signal,
}: PartsRun): Omit<ReviewerRun, "prompt" | "onStart" | "onOutput" | "scratchDirectory"> {
  const key = global.anthropic_api_key;
  return {
    jobId: job.id,
    command: selected.command,
    cwd,
    reasoning: tryParseReasoning(job.reasoning) ?? "thorough",
    ...(material.settings.model === undefined ? {} : { model: material.settings.model.value }),
    ...(key === undefined || key === "" ? {} : { anthropicApiKey: expandSecret(key, process.env) }),
    timeoutMs: material.settings.timeoutMs,
    signal,
    env: process.env,
  };
}

/** In the tick of the spawn, so that a next daemon knows the process even if this one dies now. */
function recordStart(
  services: RunServices,
  run: PartsRun,
  started: ReviewerProcess & { argv: string[] },
): void {
  const { argv, ...process } = started;
  const { job, workerId, prompt } = run;
  services
    .database((store) => {
      store.jobs.recordProcess(job.id, workerId, process);
      store.jobs.savePrompt(job.id, workerId, prompt.prompts.join(partSeparator), redactedCommandLine(argv));
    })
    .catch((error) => services.onWarning(`job ${job.id}: ${errorMessage(error)}`));
}

function failureOf(outcome: Extract<ReviewerOutcome, { ok: false }>): JobOutcome {
  if (outcome.reason === "canceled") return { kind: "aborted" };
  const prefix = outcome.reason === "quota" ? "quota: " : "";
  return { kind: "failed", error: `${prefix}${outcome.message}`, retryable: outcome.retryable };
}
