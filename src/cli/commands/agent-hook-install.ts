import {
  agentFlag,
  commandFlag,
  configFlag,
  dryRunFlag,
  installWorld,
  removedFlags,
  reportOutcome,
  timeoutFlag,
} from "../agent-hook-options.ts";
import { define } from "../command.ts";

export const agentHookInstall = define({
  meta: {
    name: "install",
    description:
      "Register the hook with the coding agents on this machine, and give them the skills of roborev. Everything else in their files stays as it is.",
  },
  args: {
    agent: agentFlag,
    binary: { type: "string", valueHint: "path", description: "Program to register (default: this one)" },
    command: commandFlag,
    config: configFlag,
    timeout: timeoutFlag,
    "dry-run": dryRunFlag,
  },
  removedFlags,
  examples: [
    "roborev agent-hook install",
    "roborev agent-hook install --agent codex --dry-run",
    "roborev agent-hook install --agent claude --config ~/.claude/settings.json",
  ],
  async run(context) {
    const { args } = context;
    const { installHooksAndSkills } = await import("../../install/with-skills.ts");
    const outcome = await installHooksAndSkills({
      ...installWorld(context),
      agent: args.agent,
      command: args.command,
      binary: args.binary,
      config: args.config,
      timeout: args.timeout,
      dryRun: args["dry-run"],
    });
    return reportOutcome(outcome, context.out, context.flags.json);
  },
});
