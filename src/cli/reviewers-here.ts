import { loadGlobalConfig } from "../config/load.ts";
import type { GlobalConfig } from "../config/schema.ts";
import type { Checkout } from "../git/checkout.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Context } from "./command.ts";
import { type ChosenReviewer, chosenReviewer } from "./reviewer.ts";

export interface ReviewersHere {
  /** Reviewers, in the order in which one is chosen when nobody chose. */
  agents: { name: string; available: boolean; path?: string }[];
  /** Who reviews a commit here; null: nobody can. */
  default_agent: string | null;
  default_agent_problem?: string;
}

/** Which reviewers are installed, and which one reviews here, as far as can be told without running any. */
export async function reviewersHere(
  context: Context,
  checkout: Checkout | undefined,
  env: Context["env"],
): Promise<ReviewersHere> {
  const { chooseReviewer } = await import("../review/choose-reviewer.ts");
  const { automaticReviewers } = await import("../review/agents/registry.ts");
  const global = await globalConfig(context);
  const agents = automaticReviewers().map(({ name }) => {
    try {
      const { command } = chooseReviewer({ value: name, origin: "request" }, global, env);
      return { name, available: true, ...(command[0] === undefined ? {} : { path: command[0] }) };
    } catch (error) {
      if (!(error instanceof RoborevError)) throw error;
      return { name, available: false };
    }
  });
  const chosen: ChosenReviewer = await chosenReviewer(
    // Outside of a repository there is no file that could choose another.
    checkout ?? ({ worktreeRoot: context.paths().dataDir } as Checkout),
    context.paths(),
    env,
  );
  return {
    agents,
    default_agent: "reviewer" in chosen ? chosen.reviewer : null,
    ...("problem" in chosen ? { default_agent_problem: chosen.problem } : {}),
  };
}

/** The user's configuration; a broken one is empty here, and told where it matters. */
export async function globalConfig(context: Context): Promise<GlobalConfig> {
  try {
    return (await loadGlobalConfig(context.paths().config)).config;
  } catch (error) {
    if (error instanceof RoborevError) return {}; // told as the reason why nobody reviews
    throw error;
  }
}
