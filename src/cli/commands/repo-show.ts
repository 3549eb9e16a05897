import { localTime } from "../../lib/local-time.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { knownRepo } from "../known-repo.ts";

export const repoShow = define({
  meta: { name: "show", description: "Show what is known of one repository." },
  args: {
    repo: { type: "positional", required: false, description: "Name or path (default: the current one)" },
  },
  examples: ["roborev repo show", "roborev repo show shop --json"],
  async run(context) {
    const { args, flags, out } = context;
    const client = await connect(context);
    const repo = await knownRepo(client, args.repo, context.cwd());
    const { stats } = await client.jobs({ repo: repo.root_path, limit: 1 });
    if (flags.json) {
      out.json({ ...repo, stats });
      return 0;
    }
    out.print(
      [
        `${singleLine(repo.name)}${repo.active ? "" : " (inactive: nothing is queued, nobody is reminded)"}`,
        `Path      ${singleLine(repo.root_path)}`,
        ...(repo.identity === undefined ? [] : [`Identity  ${singleLine(repo.identity)}`]),
        `Since     ${singleLine(localTime(repo.created_at))}`,
        `Jobs      ${repo.job_count}, ${stats.done} done`,
        `Reviews   ${stats.open} open, ${stats.closed} closed`,
      ].join("\n"),
    );
    return 0;
  },
});
