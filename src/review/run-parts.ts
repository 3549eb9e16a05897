import { tryParseReasoning } from "../config/reasoning.ts";
import type { ReviewSettings } from "../config/resolve.ts";
import { expandSecret } from "../config/runtime.ts";
import type { GlobalConfig } from "../config/schema.ts";
import { errorMessage } from "../lib/errors.ts";
import { redactedCommandLine } from "../lib/redact.ts";
import { runMarkName } from "../lib/run-mark.ts";
import type { ReviewerProcess } from "../store/store.ts";
import { killMarked, runMark } from "./agents/marked-processes.ts";
import type { ReviewerOutcome } from "./agents/outcome.ts";
import type { Environment, ReviewerRun } from "./agents/reviewer.ts";
import { isSandboxOff } from "./agents/sandbox.ts";
import { runReviewer } from "./agents/spawn.ts";
import { reviewerFailure } from "./backup.ts";
import { cooldowns, extendCooldown, restMs } from "./cooldowns.ts";
import type { AbortReason } from "./engine.ts";
import type { JobOutcome } from "./job-outcome.ts";
import type { ReviewPrompt } from "./prompt/input.ts";
import { type PreparedJob, partSeparator, type RunServices } from "./run-services.ts";

export type ReviewText = Extract<ReviewerOutcome, { ok: true }>;

export type PartsOutcome = { ok: true; reviews: ReviewText[] } | { ok: false; outcome: JobOutcome };

export interface PartsRun extends Pick<PreparedJob, "job" | "workerId" | "selected"> {
  prompt: Pick<ReviewPrompt, "prompts">;
  settings: Pick<ReviewSettings, "model" | "timeoutMs" | "quotaCooldownMs" | "backup">;
  /** It may edit and run commands where it works, with these variables besides. */
  edits?: { variables: Readonly<Record<string, string>> };
  signal: AbortSignal;
  global: GlobalConfig;
  /** Where the reviewer works. */
  cwd: string;
}

/** One reviewer process per prompt, one after the other; the first that fails fails the job. */
export async function runParts(services: RunServices, run: PartsRun): Promise<PartsOutcome> {
  const { job, prompt, selected } = run;
  const log = services.openLog(job, selected.reviewer.name);
  const mark = runMark(services.paths.dataDir, job.id);
  const reviews: ReviewText[] = [];
  services.onStarted(job);
  try {
    for (const text of prompt.prompts) {
      const outcome = await runReviewer(selected.reviewer, {
        ...reviewerRun(run, services.env),
        scratchDirectory: services.paths.worktrees,
        env: { ...services.env, [runMarkName]: mark },
        prompt: text,
        onStart: (started) => recordStart(services, run, started),
        onOutput: (chunk) => log.write(chunk),
        onCutShort: () => killMarked(mark),
      });
      if (!outcome.ok) return { ok: false, outcome: await failureOf(services, run, outcome) };
      reviews.push(outcome);
    }
  } finally {
    const reason: AbortReason | undefined = run.signal.reason;
    const isWhole = reviews.length === prompt.prompts.length;
    await (reason === "interrupted" && !isWhole ? log.drop() : log.close());
  }
  return { ok: true, reviews };
}

type PartRun = Omit<ReviewerRun, "prompt" | "env" | "onStart" | "onOutput" | "scratchDirectory">;

function reviewerRun(
  { job, selected, cwd, global, settings, edits, signal }: PartsRun,
  env: Environment,
): PartRun {
  const key = global.anthropic_api_key;
  return {
    jobId: job.id,
    command: selected.command,
    cwd,
    reasoning: tryParseReasoning(job.reasoning) ?? "thorough",
    ...(edits === undefined ? {} : { agentic: true, variables: edits.variables }),
    ...(isSandboxOff(selected.reviewer, global) ? { withoutSandbox: true } : {}),
    ...(settings.model === undefined ? {} : { model: settings.model.value }),
    ...(key === undefined || key === "" ? {} : { anthropicApiKey: expandSecret(key, env) }),
    timeoutMs: settings.timeoutMs,
    signal,
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

type Failed = Extract<ReviewerOutcome, { ok: false }>;

/** A reviewer without quota rests, for this job and all others. */
async function failureOf(
  { database, clock, env }: RunServices,
  { job, selected, settings, global }: PartsRun,
  outcome: Failed,
): Promise<JobOutcome> {
  const { reason, message, retryable } = outcome;
  if (reason === "canceled") return { kind: "aborted" };
  const now = clock.now();
  const resting = await database((store) => {
    if (reason === "quota") {
      const until = new Date(now.getTime() + restMs(outcome.cooldownMs, settings.quotaCooldownMs));
      extendCooldown(store.kv, { agent: selected.reviewer.name, until, reason: message }, now);
    }
    return cooldowns(store.kv, now);
  });
  const error = reason === "quota" ? `quota: ${message}` : message;
  return reviewerFailure({ error, retryable }, { job, settings, global, cooldowns: resting, env });
}
