import { plural, singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { knownRepo } from "../known-repo.ts";
import { refuseInReviewer } from "./review.ts";

export const repoMerge = define({
  meta: {
    name: "merge",
    description: "Give the jobs and commits of one repository to another, and forget the first.",
  },
  args: {
    from: { type: "positional", description: "Name or path of the one that is forgotten" },
    into: { type: "positional", description: "Name or path of the one that stays" },
  },
  details: "For a repository that is known twice, under two paths. It cannot be taken back.",
  examples: ["roborev repo merge /old/shop shop"],
  async run(context) {
    const { args, flags, out } = context;
    refuseInReviewer(context.env, "change repositories");
    const client = await connect(context);
    const from = await knownRepo(client, args.from, context.cwd());
    const into = await knownRepo(client, args.into, context.cwd());
    const merged = await client.mergeRepos({ from_path: from.root_path, into_path: into.root_path });
    if (flags.json) out.json(merged);
    else {
      const what = plural(merged.moved_jobs, "job");
      out.print(`Moved ${what} from ${singleLine(from.root_path)} to ${singleLine(into.root_path)}`);
    }
    return 0;
  },
});
