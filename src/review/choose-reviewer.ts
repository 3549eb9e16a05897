import type { ReviewSettings, Sourced, SourcedModel } from "../config/resolve.ts";
import { agentCommand } from "../config/runtime.ts";
import type { GlobalConfig } from "../config/schema.ts";
import { errorCode } from "../lib/errors.ts";
import { findExecutable } from "./agents/executable.ts";
import { reviewerNames } from "./agents/registry.ts";
import { type SelectedReviewer, selectReviewer } from "./agents/select.ts";

/** The reviewer for a choice (nobody's: the first installed one), with its program found on this machine. */
export function chooseReviewer(
  agent: Sourced<string> | undefined,
  global: GlobalConfig,
  env: Record<string, string | undefined> = process.env,
): SelectedReviewer {
  const commands = Object.fromEntries(reviewerNames().map((name) => [name, agentCommand(global, name)]));
  return selectReviewer({
    ...(agent === undefined ? {} : { agent }),
    commands,
    find: (program, realPath) => findExecutable(program, env, realPath),
  });
}

/** The model to ask a reviewer for: the one that was meant for it, never another's. */
export function modelFor(reviewer: string, model: SourcedModel | undefined): string | undefined {
  return model?.meantFor === undefined || model.meantFor === reviewer ? model?.value : undefined;
}

/**
 * The reviewer that a new job names. One that is not installed is refused, unless a backup was configured that is: the
 * job then tells by itself why another one reviewed it.
 */
export function reviewerFor(
  { agent, backup }: Pick<ReviewSettings, "agent" | "backup">,
  global: GlobalConfig,
): string {
  try {
    return chooseReviewer(agent, global).reviewer.name;
  } catch (error) {
    const isMissing = errorCode(error) === "E_AGENT_MISSING";
    if (isMissing && agent && backup && isReady(backup.agent, global)) return agent.value;
    throw error;
  }
}

function isReady(agent: Sourced<string>, global: GlobalConfig): boolean {
  try {
    return !chooseReviewer(agent, global).reviewer.builtIn;
  } catch {
    return false; // unknown or missing: the chosen reviewer's own error says more
  }
}
