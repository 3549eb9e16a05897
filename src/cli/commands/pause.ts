import { define } from "../command.ts";
import { connect } from "../connect.ts";

export const pause = define({
  meta: {
    name: "pause",
    description:
      "Let reviews wait: what runs ends, nothing new begins, also after a restart. Commits are queued as always.",
  },
  args: {},
  examples: ["roborev pause"],
  async run(context) {
    const client = await connect(context);
    const answer = await client.pauseQueue();
    if (context.flags.json) context.out.json(answer);
    else context.out.print("Queue paused. Go on with: roborev unpause");
    return 0;
  },
});
