import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { knownRepo } from "../known-repo.ts";
import { requireCheckout, workingDirectory } from "../place.ts";
import { refuseInReviewer } from "./review.ts";

export const repoMove = define({
  meta: {
    name: "move",
    description:
      "Tell the daemon where a repository lies now. Moves no file, and keeps its jobs and reviews.",
  },
  args: {
    repo: { type: "positional", description: "Name, or the path where it was" },
    path: { type: "positional", description: "Where it is now" },
  },
  details: "Review hooks that were trusted have to be trusted again with roborev repo trust.",
  examples: ["roborev repo move shop ~/src/shop", "roborev repo move /old/shop ."],
  async run(context) {
    const { args, flags, out } = context;
    refuseInReviewer(context.env, "change repositories");
    const checkout = await requireCheckout(
      workingDirectory(context, args.path),
      (child) => `roborev repo move ${shellWord(args.repo)} ${shellWord(`${args.path}/${child}`)}`,
    );
    const client = await connect(context);
    const { root_path } = await knownRepo(client, args.repo, context.cwd());
    const repo = await client.moveRepo({ repo_path: root_path, new_path: checkout.worktreeRoot });
    if (flags.json) out.json(repo);
    else out.print(`${singleLine(repo.name)} is now at ${singleLine(repo.root_path)}`);
    return 0;
  },
});
