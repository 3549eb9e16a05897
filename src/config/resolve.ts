import { parseGoDuration } from "../lib/duration.ts";
import { canonicalAgent } from "./agent-name.ts";
import { backupChain, firstAgent, firstModel, keyChain, type Step } from "./chain.ts";
import { defaults } from "./defaults.ts";
import type { MinSeverity } from "./fields.ts";
import { type ReasoningLevel, tryParseReasoning } from "./reasoning.ts";
import type { GlobalConfig, RepoConfig } from "./schema.ts";
import type { Workflow } from "./workflow-fields.ts";

export type Origin = "request" | "repo" | "global" | "default";

/** A value and who set it, for messages and for rules that depend on who did. */
export interface Sourced<T> {
  value: T;
  origin: Origin;
  /** The key that decided, unless it was the request or a default. */
  key?: string;
}

/** A model, and the reviewer it was configured for: it is dropped when, nobody having chosen, another one runs. */
export interface SourcedModel extends Sourced<string> {
  /** Absent for the request's own model, which goes to whoever runs. */
  meantFor?: string;
}

export interface SettingsRequest {
  /** Default `review`; a review of type `security` or `design` is that workflow. */
  workflow?: Workflow;
  reviewType?: string;
  agent?: string;
  model?: string;
  /** Any spelling of a reasoning level. One that is none counts as not given: callers check it first. */
  reasoning?: string;
  minSeverity?: MinSeverity;
}

export interface ReviewSettings {
  /** Canonical name; absent when nobody chose, which alone allows an automatic choice. */
  agent?: Sourced<string>;
  /** Absent: the reviewer program's own default. */
  model?: SourcedModel;
  reasoning: Sourced<ReasoningLevel>;
  /** Absent: every finding counts. */
  minSeverity?: Sourced<MinSeverity>;
  timeoutMs: number;
  contextCount: number;
  excludePatterns: string[];
  maxPromptBytes: number;
  mergeCommits: "skip" | "first-parent";
  autoClosePassing: boolean;
  /** The user's guidelines first, then the repository's. */
  guidelines: string[];
  /** The repository has no guidelines of its own: the `REVIEW.md` of its default branch, if any, stands for them. */
  readsReviewMd: boolean;
  /**
   * What reviews when the reviewer cannot; only when somebody configured it. Its model is one that was configured
   * for it as a backup, never the first reviewer's; absent: its own default. It may name the first reviewer itself.
   */
  backup?: { agent: Sourced<string>; model?: SourcedModel };
  /** How long a reviewer whose quota is used up rests when it does not say, and at most when it does. */
  quotaCooldownMs: number;
}

export interface SettingsInput {
  request: SettingsRequest;
  repo: RepoConfig;
  global: GlobalConfig;
}

/** Settings of one review or fix: request, then repository, then global file, then built-in; within a file the more specific key. */
export function resolveReviewSettings({ request, repo, global }: SettingsInput): ReviewSettings {
  const workflow = workflowOf(request);
  const reasoning = resolveReasoning(workflow, { request, repo, global });
  const chain = keyChain(workflow, reasoning.value, repo, global);
  const agent = request.agent?.trim()
    ? { value: canonicalAgent(request.agent), origin: "request" as const }
    : firstAgent(chain);
  const model = request.model?.trim()
    ? { value: request.model.trim(), origin: "request" as const }
    : firstModel(chain, agent);
  const minSeverity = resolveMinSeverity(workflow, { request, repo, global });
  const backup = resolveBackup(backupChain(workflow, repo, global));
  return {
    ...(agent ? { agent } : {}),
    ...(model ? { model } : {}),
    reasoning,
    ...(minSeverity ? { minSeverity } : {}),
    timeoutMs:
      (repo.job_timeout_minutes ?? global.job_timeout_minutes ?? defaults.job_timeout_minutes) * 60_000,
    contextCount: repo.review_context_count ?? global.review_context_count ?? defaults.review_context_count,
    excludePatterns: excludePatterns(request, repo, global),
    maxPromptBytes:
      repo.max_prompt_size ?? global.default_max_prompt_size ?? defaults.default_max_prompt_size,
    mergeCommits: repo.merge_commits ?? global.merge_commits ?? defaults.merge_commits,
    autoClosePassing:
      repo.auto_close_passing_reviews ??
      global.auto_close_passing_reviews ??
      defaults.auto_close_passing_reviews,
    guidelines: [
      repo.review_guidelines_supersede_global ? undefined : global.review_guidelines,
      repo.review_guidelines,
    ].filter(isText),
    readsReviewMd:
      (repo.review_md_fallback ?? defaults.review_md_fallback) && !isText(repo.review_guidelines),
    ...(backup ? { backup } : {}),
    quotaCooldownMs: parseGoDuration(global.agent_quota_cooldown ?? defaults.agent_quota_cooldown),
  };
}

const isText = (text: string | undefined): text is string => text !== undefined && text.trim() !== "";

function workflowOf({ workflow, reviewType }: SettingsRequest): Workflow {
  if (workflow !== undefined && workflow !== "review") return workflow;
  return reviewType === "security" || reviewType === "design" ? reviewType : "review";
}

function resolveReasoning(
  workflow: Workflow,
  { request, repo, global }: SettingsInput,
): Sourced<ReasoningLevel> {
  const asked = request.reasoning === undefined ? undefined : tryParseReasoning(request.reasoning);
  if (asked) return { value: asked, origin: "request" };
  const kind = workflow === "fix" || workflow === "refine" ? workflow : "review";
  const key = `${kind}_reasoning` as const;
  if (repo[key]) return { value: repo[key], origin: "repo", key };
  if (global[key]) return { value: global[key], origin: "global", key };
  return { value: defaults[key], origin: "default" };
}

function resolveMinSeverity(
  workflow: Workflow,
  { request, repo, global }: SettingsInput,
): Sourced<MinSeverity> | undefined {
  if (request.minSeverity) return { value: request.minSeverity, origin: "request" };
  // Unset, fix and refine work on what a review counts as failing.
  const own = workflow === "fix" || workflow === "refine" ? [`${workflow}_min_severity` as const] : [];
  for (const key of [...own, "review_min_severity" as const]) {
    if (repo[key]) return { value: repo[key], origin: "repo", key };
    if (global[key]) return { value: global[key], origin: "global", key };
  }
  return undefined;
}

function resolveBackup(chain: Step[]): ReviewSettings["backup"] {
  const agent = firstAgent(chain);
  if (agent === undefined) return undefined;
  const model = firstModel(chain, agent);
  return { agent, ...(model ? { model } : {}) };
}

/** Both lists; for a security review the user's only, so that a branch cannot hide files from it. */
function excludePatterns(
  { reviewType, workflow }: SettingsRequest,
  repo: RepoConfig,
  global: GlobalConfig,
): string[] {
  const own = global.exclude_patterns ?? [];
  if (reviewType === "security" || workflow === "security") return [...new Set(own)];
  return [...new Set([...own, ...(repo.exclude_patterns ?? [])])];
}
