import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { jobNumber } from "../target.ts";

export const rerun = define({
  meta: {
    name: "rerun",
    description:
      "Queue a job again that is done, failed, canceled or skipped. The reviewer sees what it said before; comments stay.",
  },
  args: { job: { type: "positional", description: "Number of the job" } },
  examples: ["roborev rerun 42"],
  async run(context) {
    const id = jobNumber(context.args.job);
    const client = await connect(context);
    await client.rerunJob(id);
    if (context.flags.json) context.out.json({ job_id: id, status: "queued" });
    else context.out.print(`Job ${id} re-enqueued`);
    return 0;
  },
});
