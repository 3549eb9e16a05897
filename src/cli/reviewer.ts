import { loadGlobalConfig } from "../config/load.ts";
import type { DataPaths } from "../config/paths.ts";
import { resolveReviewSettings } from "../config/resolve.ts";
import type { Checkout } from "../git/checkout.ts";
import { RoborevError, UsageError } from "../lib/errors.ts";
import { typed } from "./arguments.ts";
import { errorLine } from "./output.ts";
import { readRepoConfig } from "./repo-config.ts";

/** The reviewer's own name, whatever spelling was typed; rejects one that does not exist before anything happens. */
export async function knownReviewer(name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { findReviewer, reviewerNames } = await import("../review/agents/registry.ts");
  const reviewer = findReviewer(name);
  if (reviewer) return reviewer.name;
  throw new UsageError(`there is no reviewer ${typed(name) || "without a name"}`, {
    hint: `Use one of: ${reviewerNames().join(", ")}.`,
  });
}

export type ChosenReviewer = { reviewer: string } | { problem: string };

/** Who would review a commit of this checkout now, or why nobody would. */
export async function chosenReviewer(
  checkout: Checkout,
  paths: DataPaths,
  env: Record<string, string | undefined>,
): Promise<ChosenReviewer> {
  try {
    const { chooseReviewer } = await import("../review/choose-reviewer.ts");
    const { config: global } = await loadGlobalConfig(paths.config);
    const settings = resolveReviewSettings({ request: {}, repo: await readRepoConfig(checkout), global });
    return { reviewer: chooseReviewer(settings.agent, global, env).reviewer.name };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { problem: errorLine(error).replace(/^Error: /, "") };
  }
}
