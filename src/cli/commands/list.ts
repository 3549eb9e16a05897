import type { JobQuery } from "../../client/daemon.ts";
import { findCheckout } from "../../git/checkout.ts";
import { quotedLabel } from "../../lib/text.ts";
import type { JobStatus } from "../../store/schema.ts";
import { wholeNumber } from "../arguments.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { movedHint } from "../gone-repos.ts";
import { jobTable } from "../job-table.ts";
import { workingDirectory } from "../place.ts";

const statuses: JobStatus[] = [
  "queued",
  "running",
  "done",
  "failed",
  "canceled",
  "applied",
  "rebased",
  "skipped",
];

export const list = define({
  meta: {
    name: "list",
    description:
      "List jobs, newest first: of this repository and branch, or of every repository below the current directory.",
  },
  args: {
    repo: { type: "string", valueHint: "path", description: "Repository (default: where you are)" },
    branch: { type: "string", valueHint: "name", description: "Branch (default: the current one)" },
    status: { type: "enum", options: statuses, valueHint: "status", description: "Only jobs of this status" },
    open: { type: "boolean", description: "Only jobs that are not closed" },
    closed: { type: "boolean", description: "Only closed reviews" },
    unaddressed: { type: "boolean", description: "Same as --open" },
    limit: { type: "string", default: "50", valueHint: "n", description: "At most this many, 0 for all" },
  },
  hiddenFlags: ["unaddressed"],
  exclusive: [{ names: ["open", "closed"] }, { names: ["unaddressed", "closed"] }],
  examples: ["roborev list", "roborev list --open --json", "roborev list --branch main --status failed"],
  async run(context) {
    const { args, out } = context;
    const limit = wholeNumber(args.limit, "--limit", { min: 0, max: 10_000 });
    const directory = workingDirectory(context, args.repo);
    const checkout = await findCheckout(directory);
    const branch = args.branch ?? (checkout?.branch || undefined);
    const query: JobQuery = {
      ...(checkout ? { repo: checkout.mainRoot } : { repo_prefix: directory }),
      ...(branch === undefined ? {} : { branch, branch_include_empty: true }),
      ...(args.status === undefined ? {} : { status: args.status as JobStatus }),
      ...(args.open || args.unaddressed ? { closed: false } : args.closed ? { closed: true } : {}),
      limit,
    };
    const client = await connect(context);
    const { jobs, has_more } = await client.jobs(query);
    if (context.flags.json) {
      out.json(jobs);
      return 0;
    }
    const filtered = args.status !== undefined || query.closed !== undefined;
    if (jobs.length === 0) {
      const moved = checkout && (await movedHint(client, checkout));
      out.note(nothingText(filtered ? "such jobs" : "jobs", checkout && branch, moved));
    } else out.print(jobTable(jobs, context.now(), out));
    if (has_more) out.note(`There are more. See them with: roborev list --limit ${Math.max(1, limit) * 2}`);
    return 0;
  },
});

function nothingText(what: string, branch: string | undefined, moved: string | undefined): string {
  const where = branch === undefined ? "here" : `on branch ${quotedLabel(branch)}`;
  const hint = moved ?? (what === "jobs" ? "Queue one with: roborev review" : "");
  return `No ${what} ${where}. ${hint}`.trimEnd();
}
