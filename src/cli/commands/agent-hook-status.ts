import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { type HookStatusReport, hookStatusText } from "../hook-status/status-text.ts";

const latest = 5;

export const agentHookStatus = define({
  meta: {
    name: "status",
    description:
      "Show coding-agent sessions: their counters, reminders that wait, fix sessions, what was delivered last.",
  },
  args: {},
  details:
    "Unread are failed reviews that are open and that the session was not told about. With --json, the whole state.",
  examples: ["roborev agent-hook status", "roborev agent-hook status --json"],
  async run(context) {
    const client = await connect(context);
    const state = await client.hookSessions();
    if (context.flags.json) context.out.json(state);
    else {
      const { deliveries } = await client.hookDeliveries({ limit: latest });
      const report = { ...state, latest: deliveries } as HookStatusReport;
      context.out.print(hookStatusText(report, context.now(), context.out));
    }
    return 0;
  },
});
