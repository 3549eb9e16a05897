import { define } from "../command.ts";
import { connect } from "../connect.ts";

export const unpause = define({
  meta: {
    name: "unpause",
    description: "Go on with the reviews that wait.",
  },
  args: {},
  examples: ["roborev unpause"],
  async run(context) {
    const client = await connect(context);
    const answer = await client.unpauseQueue();
    if (context.flags.json) context.out.json(answer);
    else context.out.print("Queue goes on");
    return 0;
  },
});
