import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { knownRepo } from "../known-repo.ts";
import { refuseInReviewer } from "./review.ts";

export const repoRename = define({
  meta: { name: "rename", description: "Change the name under which a repository is shown." },
  args: {
    repo: { type: "positional", description: "Name or path" },
    name: { type: "positional", description: "The new name" },
  },
  examples: ["roborev repo rename shop web-shop", "roborev repo rename . web-shop"],
  async run(context) {
    const { args, flags, out } = context;
    refuseInReviewer(context.env, "change repositories");
    const client = await connect(context);
    const { root_path, name: old } = await knownRepo(client, args.repo, context.cwd());
    const repo = await client.renameRepo({ repo_path: root_path, name: args.name });
    if (flags.json) out.json(repo);
    else out.print(`${singleLine(old)} is now called ${singleLine(repo.name)}`);
    return 0;
  },
});
