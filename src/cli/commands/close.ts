import { DaemonRefusal } from "../../client/refusal.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { errorLine } from "../output.ts";
import { worktreeAround } from "../place.ts";
import { jobNumber } from "../target.ts";

export const close = define({
  meta: {
    name: "close",
    description: "Close reviews that are dealt with, so that nobody is reminded of them.",
  },
  args: {
    reopen: { type: "boolean", description: "Open them again" },
    unaddress: { type: "boolean", description: "Same as --reopen" },
  },
  hiddenFlags: ["unaddress"],
  rest: { name: "job", description: "Numbers of the jobs", required: true },
  examples: ["roborev close 42", "roborev close 42 43", "roborev close --reopen 42"],
  async run(context) {
    const ids = [...new Set(context.rest.map(jobNumber))];
    const closed = !(context.args.reopen || context.args.unaddress);
    const by = context.env.USER?.trim();
    const worktree = await worktreeAround(context);
    const client = await connect(context);
    const results: { job_id: number; closed: boolean; error?: string }[] = [];
    for (const id of ids) {
      try {
        await client.closeReview({
          job_id: id,
          closed,
          ...(by ? { closed_by: by.slice(0, 128) } : {}),
          ...(worktree === undefined ? {} : { worktree_path: worktree }),
        });
        results.push({ job_id: id, closed });
        if (!context.flags.json) context.out.print(`Job ${id} ${closed ? "closed" : "reopened"}`);
      } catch (error) {
        // One wrong number must not keep the others open.
        if (!(error instanceof DaemonRefusal) || ids.length === 1) throw error;
        results.push({ job_id: id, closed: !closed, error: error.message });
        context.out.note(errorLine(error));
      }
    }
    if (context.flags.json) context.out.json(results);
    return results.some((result) => result.error !== undefined) ? 1 : 0;
  },
});
