import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { jobNumber } from "../target.ts";

export const cancel = define({
  meta: { name: "cancel", description: "Cancel a job that is queued or running." },
  args: { job: { type: "positional", description: "Number of the job" } },
  examples: ["roborev cancel 42"],
  async run(context) {
    const id = jobNumber(context.args.job);
    const client = await connect(context);
    await client.cancelJob(id);
    if (context.flags.json) context.out.json({ job_id: id, status: "canceled" });
    else context.out.print(`Job ${id} canceled`);
    return 0;
  },
});
