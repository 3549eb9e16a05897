import type { MinSeverity } from "../config/fields.ts";
import { loadGlobalConfig } from "../config/load.ts";
import { type ReviewSettings, resolveReviewSettings } from "../config/resolve.ts";
import { requireUnsafeAgents } from "../config/runtime.ts";
import type { GlobalConfig, RepoConfig } from "../config/schema.ts";
import type { Checkout } from "../git/checkout.ts";
import type { EditingWorkflow } from "../review/fix/choose-agent.ts";
import type { FixAgent, FixProgress } from "../review/fix/services.ts";
import type { Context } from "./command.ts";

/** Who is to edit, and how; what is left out the configuration says. */
export interface EditRequest {
  agent?: string;
  model?: string;
  reasoning?: string;
  minSeverity?: MinSeverity;
  allowUnsafeAgents?: true;
}

export interface EditSettings {
  resolved: ReviewSettings;
  repo: RepoConfig;
  global: GlobalConfig;
  onWarning(line: string): void;
  /** The agent; it is looked for only now. */
  agent(progress: FixProgress): Promise<FixAgent>;
}

/** What flags and configuration say about an agent that edits. Throws where no agent may. */
export async function editSettings(
  context: Context,
  checkout: Checkout,
  workflow: EditingWorkflow,
  request: EditRequest,
): Promise<EditSettings> {
  const { readRepoConfig } = await import("../review/repo-config.ts");
  const { chooseFixAgent } = await import("../review/fix/choose-agent.ts");
  const { config: global } = await loadGlobalConfig(context.paths().config);
  requireUnsafeAgents(global, {
    ...{ byUser: true, hasFlag: workflow === "refine" },
    ...(request.allowUnsafeAgents === undefined ? {} : { flag: request.allowUnsafeAgents }),
  });
  const onWarning = (line: string) => context.out.detail(line);
  const repo = await readRepoConfig(checkout, { dirty: false, onWarning });
  const { agent, model, reasoning, minSeverity } = request;
  const resolved = resolveReviewSettings({
    request: {
      workflow,
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model }),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(minSeverity === undefined ? {} : { minSeverity }),
    },
    ...{ repo, global },
  });
  return {
    ...{ resolved, repo, global, onWarning },
    agent: async ({ say }) => chooseFixAgent(resolved, { global, env: context.env, workflow, onBackup: say }),
  };
}
