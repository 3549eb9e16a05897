import type { ReviewSettings, Sourced, SourcedModel } from "../../config/resolve.ts";
import { expandSecret } from "../../config/runtime.ts";
import type { GlobalConfig } from "../../config/schema.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import type { Environment } from "../agents/reviewer.ts";
import type { SelectedReviewer } from "../agents/select.ts";
import { chooseReviewer, modelFor } from "../choose-reviewer.ts";
import type { FixAgent } from "./services.ts";

export type EditingWorkflow = "fix" | "refine";

/**
 * The agent that edits: the one that was chosen, or the configured backup where that is not installed, which `onBackup`
 * is told. Throws for one that cannot edit.
 */
export function chooseFixAgent(
  settings: ReviewSettings,
  {
    onBackup,
    ...where
  }: {
    global: GlobalConfig;
    env: Environment;
    workflow: EditingWorkflow;
    onBackup(line: string): void;
  },
): FixAgent {
  const { global, env } = where;
  const { backup } = settings;
  try {
    return agentFor(chooseReviewer(settings.agent, global, env), settings.model, settings, where);
  } catch (error) {
    if (errorCode(error) !== "E_AGENT_MISSING" || backup === undefined) throw error;
    const selected = chooseReviewer(backup.agent, global, env);
    onBackup(
      `${settings.agent?.value} is not installed; its backup ${selected.reviewer.name} works instead.`,
    );
    return agentFor(selected, backup.model, settings, where);
  }
}

function agentFor(
  selected: SelectedReviewer,
  configured: SourcedModel | undefined,
  { reasoning }: { reasoning: Sourced<FixAgent["reasoning"]> },
  { global, env, workflow }: { global: GlobalConfig; env: Environment; workflow: EditingWorkflow },
): FixAgent {
  const { name, builtIn } = selected.reviewer;
  if (builtIn) throw cannotEdit(name, workflow);
  const model = modelFor(name, configured);
  const key = global.anthropic_api_key;
  return {
    ...selected,
    reasoning: reasoning.value,
    ...(model === undefined ? {} : { model }),
    ...(key === undefined || key === "" ? {} : { anthropicApiKey: expandSecret(key, env) }),
  };
}

/** The refusal of a reviewer that is no coding agent. */
export const cannotEdit = (name: string, workflow: EditingWorkflow) =>
  new RoborevError(`the built-in reviewer ${name} cannot fix anything`, {
    code: "E_AGENT_REFUSED",
    hint: `Name an agent with --agent, or set ${workflow}_agent in config.toml.`,
  });
