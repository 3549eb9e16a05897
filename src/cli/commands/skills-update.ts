import { define } from "../command.ts";
import { namedAgents, skillFlags } from "../skill-agents.ts";
import { changeSkills, statusOf } from "./skills-install.ts";

export const skillsUpdate = define({
  meta: {
    name: "update",
    description: "Bring the skills that are installed up to date. Installs none anew.",
  },
  args: {
    ...skillFlags,
    force: { type: "boolean", description: "Replace skills that were edited as well" },
  },
  requires: [{ names: ["path", "agent"] }],
  examples: ["roborev skills update", "roborev skills update --agent codex"],
  async run(context) {
    const { args, flags, out } = context;
    const reports = await changeSkills(context, namedAgents(context, args), {
      force: args.force,
      onlyPresent: true,
    });
    if (!flags.json && reports.every(({ skills }) => skills.every(({ result }) => result === "absent")))
      out.print("No skills are installed. Install them with: roborev skills install");
    return statusOf(reports);
  },
});
