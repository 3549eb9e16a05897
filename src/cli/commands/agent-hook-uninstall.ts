import {
  agentFlag,
  configFlag,
  dryRunFlag,
  installWorld,
  removedFlags,
  reportOutcome,
} from "../agent-hook-options.ts";
import { define } from "../command.ts";

export const agentHookUninstall = define({
  meta: {
    name: "uninstall",
    description: "Remove the hook from coding agents: exactly what install added, nothing else.",
  },
  args: { agent: agentFlag, config: configFlag, "dry-run": dryRunFlag },
  removedFlags,
  examples: ["roborev agent-hook uninstall", "roborev agent-hook uninstall --agent claude"],
  async run(context) {
    const { args } = context;
    const { uninstallAgentHooks } = await import("../../install/uninstall.ts");
    const outcome = await uninstallAgentHooks({
      ...installWorld(context),
      agent: args.agent,
      config: args.config,
      dryRun: args["dry-run"],
    });
    return reportOutcome(outcome, context.out, context.flags.json);
  },
});
