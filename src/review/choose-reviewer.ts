import type { Sourced, SourcedModel } from "../config/resolve.ts";
import { agentCommand } from "../config/runtime.ts";
import type { GlobalConfig } from "../config/schema.ts";
import { findExecutable } from "./agents/executable.ts";
import { reviewerNames } from "./agents/registry.ts";
import type { Environment } from "./agents/reviewer.ts";
import { type SelectedReviewer, selectReviewer } from "./agents/select.ts";

/** The reviewer for a choice (nobody's: the first installed one), with its program found on this machine. */
export function chooseReviewer(
  agent: Sourced<string> | undefined,
  global: GlobalConfig,
  env: Environment,
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
