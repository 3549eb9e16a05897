import { commandFlag, configFlag, installWorld, removedFlags, timeoutFlag } from "../agent-hook-options.ts";
import { define } from "../command.ts";

export const agentHookDump = define({
  meta: {
    name: "dump",
    description:
      "Print the whole configuration file that install would write for one coding agent. Writes nothing.",
  },
  args: {
    agent: { type: "string", valueHint: "name", description: "Coding agent (required)" },
    binary: { type: "string", valueHint: "path", description: "Program to register (default: this one)" },
    command: commandFlag,
    config: configFlag,
    timeout: timeoutFlag,
  },
  removedFlags,
  json: false,
  examples: ["roborev agent-hook dump --agent codex"],
  async run(context) {
    const { args, out } = context;
    const { dumpAgentHooks } = await import("../../install/dump.ts");
    const { text, notices } = await dumpAgentHooks({
      ...installWorld(context),
      agent: args.agent,
      command: args.command,
      binary: args.binary,
      config: args.config,
      timeout: args.timeout,
      dryRun: true,
    });
    for (const notice of notices) out.note(notice);
    out.print(text.replace(/\n$/, ""));
    return 0;
  },
});
