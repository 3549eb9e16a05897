import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { goneRepos } from "../gone-repos.ts";
import { tableLines } from "../table.ts";

export const repoList = define({
  meta: {
    name: "list",
    description: "List the repositories that the daemon knows, with how many jobs each has.",
  },
  args: {},
  examples: ["roborev repo list", "roborev repo list --json"],
  async run(context) {
    const { flags, out } = context;
    const { repos } = await (await connect(context)).repos();
    if (flags.json) out.json(repos);
    else if (repos.length === 0) out.note("No repository is known. Set one up with: roborev init");
    else {
      const gone = new Set(goneRepos(repos).map(({ root_path }) => root_path));
      const rows = repos.map(({ name, root_path, job_count, active }) => [
        name,
        String(job_count),
        active ? "yes" : "no",
        gone.has(root_path) ? `${root_path} (gone)` : root_path,
      ]);
      out.print(tableLines(["Name", "Jobs", "Active", "Path"], rows).join("\n"));
    }
    return 0;
  },
});
