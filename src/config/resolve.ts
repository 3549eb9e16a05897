import { canonicalAgent } from "./agent-name.ts";
import { defaults } from "./defaults.ts";
import type { MinSeverity, Workflow } from "./fields.ts";
import { type ReasoningLevel, tryParseReasoning } from "./reasoning.ts";
import type { GlobalConfig, RepoConfig } from "./schema.ts";

/** The reviewer that is tried first when nobody chose one. */
export const defaultAgent = "codex";

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
  const model = resolveModel(request, chain, agent);
  const minSeverity = resolveMinSeverity(workflow, { request, repo, global });
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
    ].filter((text): text is string => text !== undefined && text.trim() !== ""),
  };
}

function workflowOf({ workflow, reviewType }: SettingsRequest): Workflow {
  if (workflow !== undefined && workflow !== "review") return workflow;
  return reviewType === "security" || reviewType === "design" ? reviewType : "review";
}

/** Security and design reviews are reviews: what they do not set themselves, they take from the `review_` keys. */
const lineageOf = (workflow: Workflow): Workflow[] =>
  workflow === "security" || workflow === "design" ? [workflow, "review"] : [workflow];

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

/** One step of the precedence: an agent key and the model key beside it. */
interface Step {
  origin: "repo" | "global";
  agentKey: string;
  modelKey: string;
  agent: string | undefined;
  model: string | undefined;
}

function keyChain(workflow: Workflow, level: ReasoningLevel, repo: RepoConfig, global: GlobalConfig): Step[] {
  const specific = lineageOf(workflow).flatMap((name) =>
    ([`_${level}`, ""] as const).map((suffix) => ({
      agentKey: `${name}_agent${suffix}` as const,
      modelKey: `${name}_model${suffix}` as const,
    })),
  );
  const steps = (origin: "repo" | "global", config: RepoConfig | GlobalConfig): Step[] =>
    specific.map((keys) => ({ origin, ...keys, agent: config[keys.agentKey], model: config[keys.modelKey] }));
  return [
    ...steps("repo", repo),
    { origin: "repo", agentKey: "agent", modelKey: "model", agent: repo.agent, model: repo.model },
    ...steps("global", global),
    {
      origin: "global",
      agentKey: "default_agent",
      modelKey: "default_model",
      agent: global.default_agent,
      model: global.default_model,
    },
  ];
}

function firstAgent(chain: Step[]): Sourced<string> | undefined {
  const step = chain.find((step) => step.agent !== undefined);
  return step?.agent === undefined
    ? undefined
    : { value: canonicalAgent(step.agent), origin: step.origin, key: step.agentKey };
}

/**
 * A configured model was meant for the reviewer that the same step, or the next one that names any, chooses, or for
 * the product's default reviewer. It is never handed to another: the model of one vendor is an error, or a bill, at the next.
 */
function resolveModel(
  request: SettingsRequest,
  chain: Step[],
  agent: Sourced<string> | undefined,
): SourcedModel | undefined {
  if (request.model?.trim()) return { value: request.model.trim(), origin: "request" };
  for (const [index, step] of chain.entries()) {
    if (step.model === undefined) continue;
    const meantFor = firstAgent(chain.slice(index))?.value ?? defaultAgent;
    if (agent !== undefined && meantFor !== agent.value) continue;
    return { value: step.model, origin: step.origin, key: step.modelKey, meantFor };
  }
  return undefined;
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
