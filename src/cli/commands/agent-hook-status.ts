import { define } from "../command.ts";
import { connect } from "../connect.ts";

export const agentHookStatus = define({
  meta: { name: "status", description: "Print what is known of every coding-agent session, as JSON." },
  args: {},
  examples: ["roborev agent-hook status"],
  async run(context) {
    const client = await connect(context);
    context.out.json(await client.hookSessions());
    return 0;
  },
});
