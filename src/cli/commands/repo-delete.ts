import { RoborevError, UsageError } from "../../lib/errors.ts";
import { plural, singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { knownRepo } from "../known-repo.ts";
import { refuseInReviewer } from "./review.ts";

export const repoDelete = define({
  meta: {
    name: "delete",
    description:
      "Forget a repository. One that has jobs only with --cascade, which deletes them and their reviews.",
  },
  args: {
    repo: { type: "positional", description: "Name or path" },
    cascade: { type: "boolean", description: "Delete its jobs and reviews as well" },
    yes: { type: "boolean", description: "Do not ask" },
  },
  details: "The repository itself and its git hooks stay as they are: roborev uninit removes the hooks.",
  examples: ["roborev repo delete shop", "roborev repo delete shop --cascade --yes"],
  async run(context) {
    const { args, flags, out } = context;
    refuseInReviewer(context.env, "change repositories");
    const client = await connect(context);
    const { job_count: jobs, name, root_path } = await knownRepo(client, args.repo, context.cwd());
    const label = `${singleLine(name)} (${singleLine(root_path)})`;
    if (jobs > 0 && !args.cascade) {
      throw new RoborevError(`${label} has ${plural(jobs, "job")}`, {
        code: "E_CONFLICT",
        hint: "Delete them as well with --cascade.",
      });
    }
    if (jobs > 0 && !args.yes) {
      const isSure = context.confirm(`Delete ${label} with ${plural(jobs, "job")} and their reviews?`);
      if (isSure === undefined)
        throw new UsageError("nobody can be asked", { hint: "Confirm it with --yes." });
      if (!isSure) {
        out.note("Nothing was changed.");
        return 0;
      }
    }
    const { deleted_jobs } = await client.deleteRepo({ repo_path: root_path, cascade: args.cascade });
    if (flags.json) out.json({ repo: root_path, deleted_jobs });
    else out.print(`${label} is forgotten${deleted_jobs > 0 ? `, with ${plural(deleted_jobs, "job")}` : ""}`);
    return 0;
  },
});
