import { skillStatus } from "../../skills/status.ts";
import { define } from "../command.ts";
import { namedAgents, skillFlags } from "../skill-agents.ts";
import { skillsText } from "../skills-text.ts";

export const skillsStatus = define({
  meta: { name: "status", description: "Show which skills the coding agents have. Changes nothing." },
  args: skillFlags,
  requires: [{ names: ["path", "agent"] }],
  examples: ["roborev skills status", "roborev skills status --agent claude --json"],
  async run(context) {
    const { args, env, flags, out } = context;
    const given = Boolean(args.path?.trim());
    const programs = await Promise.all(
      namedAgents(context, args).map(async ({ harness, directory }) =>
        skillStatus(harness, { env, cwd: context.cwd(), directory: given ? directory : undefined }),
      ),
    );
    const agents = programs.filter((program) => program !== undefined);
    if (flags.json) out.json({ agents });
    else out.print(skillsText(agents, out));
    return 0;
  },
});
