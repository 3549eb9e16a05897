import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { requireCheckout, workingDirectory } from "../place.ts";
import { refuseInReviewer } from "./review.ts";

export const repoAdd = define({
  meta: {
    name: "add",
    description: "Make a repository known to the daemon. No git hook is installed: roborev init does both.",
  },
  args: { path: { type: "positional", required: false, description: "Where it lies (default: here)" } },
  examples: ["roborev repo add", "roborev repo add ~/src/shop"],
  async run(context) {
    const { args, flags, out } = context;
    refuseInReviewer(context.env, "change repositories");
    const checkout = await requireCheckout(
      workingDirectory(context, args.path),
      (child) => `roborev repo add ${shellWord(`${args.path ?? "."}/${child}`)}`,
    );
    const repo = await (await connect(context)).registerRepo(checkout.worktreeRoot);
    if (flags.json) out.json(repo);
    else out.print(`${singleLine(repo.name)} is known: ${singleLine(repo.root_path)}`);
    return 0;
  },
});
