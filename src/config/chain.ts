import { canonicalAgent } from "./agent-name.ts";
import type { ReasoningLevel } from "./reasoning.ts";
import type { Sourced, SourcedModel } from "./resolve.ts";
import type { GlobalConfig, RepoConfig } from "./schema.ts";
import type { Workflow } from "./workflow-fields.ts";

/** The reviewer that is tried first when nobody chose one. */
const defaultAgent = "codex";

/** Security and design reviews are reviews: what they do not set themselves, they take from the `review_` keys. */
const lineageOf = (workflow: Workflow): Workflow[] =>
  workflow === "security" || workflow === "design" ? [workflow, "review"] : [workflow];

/** One step of the precedence: an agent key and the model key beside it. */
export interface Step {
  origin: "repo" | "global";
  agentKey: string;
  modelKey: string;
  agent: string | undefined;
  model: string | undefined;
}

export function keyChain(
  workflow: Workflow,
  level: ReasoningLevel,
  repo: RepoConfig,
  global: GlobalConfig,
): Step[] {
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

/** The steps of a backup: by kind of work, then in general. */
export function backupChain(workflow: Workflow, repo: RepoConfig, global: GlobalConfig): Step[] {
  const steps = (origin: "repo" | "global", config: RepoConfig | GlobalConfig): Step[] =>
    lineageOf(workflow).map((name) => {
      const agentKey = `${name}_backup_agent` as const;
      const modelKey = `${name}_backup_model` as const;
      return { origin, agentKey, modelKey, agent: config[agentKey], model: config[modelKey] };
    });
  return [
    ...steps("repo", repo),
    {
      origin: "repo",
      agentKey: "backup_agent",
      modelKey: "backup_model",
      agent: repo.backup_agent,
      model: repo.backup_model,
    },
    ...steps("global", global),
    {
      origin: "global",
      agentKey: "default_backup_agent",
      modelKey: "default_backup_model",
      agent: global.default_backup_agent,
      model: global.default_backup_model,
    },
  ];
}

export function firstAgent(chain: Step[]): Sourced<string> | undefined {
  const step = chain.find((step) => step.agent !== undefined);
  return step?.agent === undefined
    ? undefined
    : { value: canonicalAgent(step.agent), origin: step.origin, key: step.agentKey };
}

/**
 * A configured model was meant for the reviewer that the same step, or the next one that names any, chooses, or for
 * the product's default reviewer. It is never handed to another: the model of one vendor is an error, or a bill, at the next.
 */
export function firstModel(chain: Step[], agent: Sourced<string> | undefined): SourcedModel | undefined {
  for (const [index, step] of chain.entries()) {
    if (step.model === undefined) continue;
    const meantFor = firstAgent(chain.slice(index))?.value ?? defaultAgent;
    if (agent !== undefined && meantFor !== agent.value) continue;
    return { value: step.model, origin: step.origin, key: step.modelKey, meantFor };
  }
  return undefined;
}
