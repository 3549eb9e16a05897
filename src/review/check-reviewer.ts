import { resolveReviewSettings } from "../config/resolve.ts";
import { agentCommand, expandSecret } from "../config/runtime.ts";
import type { GlobalConfig, RepoConfig } from "../config/schema.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Environment } from "./agents/reviewer.ts";
import { isSandboxOff } from "./agents/sandbox.ts";
import type { SelectedReviewer } from "./agents/select.ts";
import { runReviewer } from "./agents/spawn.ts";
import { largePrompt, smallPrompt } from "./check-prompt.ts";
import { chooseReviewer, modelFor } from "./choose-reviewer.ts";

/** What came of asking a reviewer for one word. */
export type ReviewerCheck =
  | { result: "ok"; bytes: number; durationMs: number }
  | { result: "failed"; reason: string }
  /** It is not installed, and nobody said that it is. */
  | { result: "skipped"; reason: string };

export interface CheckOptions {
  /** Canonical name. */
  name: string;
  global: GlobalConfig;
  /** Of the directory that the reviewer runs in. */
  repo: RepoConfig;
  cwd: string;
  env: Environment;
  timeoutMs: number;
  signal: AbortSignal;
  /** A prompt as large as those of reviews, of which the answer must show that it was read whole. */
  isLarge: boolean;
}

/** Runs a reviewer as a review would, read-only, with a question. Rejects when aborted. */
export async function checkReviewer(options: CheckOptions): Promise<ReviewerCheck> {
  const selected = select(options);
  if ("result" in selected) return selected;
  const { name, global, repo, cwd, env, timeoutMs, signal, isLarge } = options;
  const prompt = isLarge ? largePrompt() : smallPrompt;
  const { model } = resolveReviewSettings({ request: { agent: name }, repo, global });
  const chosen = modelFor(name, model);
  const key = global.anthropic_api_key;
  const outcome = await runReviewer(selected.reviewer, {
    // No job has this number; the recursion guards see it all the same.
    jobId: 0,
    command: selected.command,
    cwd,
    reasoning: "fast",
    ...(isSandboxOff(selected.reviewer, global) ? { withoutSandbox: true } : {}),
    ...(chosen === undefined ? {} : { model: chosen }),
    ...(key === undefined || key === "" ? {} : { anthropicApiKey: expandSecret(key, env) }),
    prompt: prompt.text,
    timeoutMs,
    signal,
    env,
    onStart() {},
    onOutput() {},
  });
  signal.throwIfAborted();
  if (!outcome.ok) return { result: "failed", reason: outcome.message };
  const problem = prompt.problem(outcome.text);
  if (problem !== undefined) return { result: "failed", reason: problem };
  return { result: "ok", bytes: Buffer.byteLength(outcome.text), durationMs: outcome.durationMs };
}

function select({ name, global, env }: CheckOptions): SelectedReviewer | ReviewerCheck {
  try {
    return chooseReviewer({ value: name, origin: "request" }, global, env);
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    const isAbsent = error.code === "E_AGENT_MISSING" && !agentCommand(global, name)?.trim();
    return isAbsent
      ? { result: "skipped", reason: "not installed" }
      : { result: "failed", reason: error.message };
  }
}
