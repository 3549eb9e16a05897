import { createConfigCache } from "../../config/load.ts";
import { type Context, define } from "../command.ts";
import { connect } from "../connect.ts";
import { offLines } from "../hook-status/off-lines.ts";
import { hookStatusText } from "../hook-status/status-text.ts";

const latest = 5;

export const agentHookStatus = define({
  meta: {
    name: "status",
    description: "Show what is known of coding-agent sessions, and what keeps them from being reminded.",
  },
  args: {},
  details: `Turns, commits and reminders are counted over the session's life. Not told yet are the open failed reviews
    that it was not told about, as of its last event. So far are the turns and commits since its last reminder.

    A reminder that its agent cannot take at once is queued, until the working tree is on the same branch again. With
    --json comes the whole state.`,
  examples: ["roborev agent-hook status", "roborev agent-hook status --json"],
  async run(context) {
    const client = await connect(context);
    const state = await client.hookSessions();
    if (context.flags.json) {
      context.out.json(state);
      return 0;
    }
    const { deliveries } = await client.hookDeliveries({ limit: latest });
    const { active_snoozes: snoozes = [] } = await client.status();
    const report = { ...state, snoozes, latest: deliveries, off: await linesIfOff(context) };
    context.out.print(hookStatusText(report, context.now(), context.out));
    return 0;
  },
});

/** A daemon that was asked for by its address has a configuration of its own. */
async function linesIfOff({ env, flags, paths }: Context): Promise<string[]> {
  if (flags.server !== undefined) return offLines({ env, config: {}, file: "" });
  const file = paths().config;
  const { loaded } = await createConfigCache().loadOrKeep(file);
  return offLines({ env, config: loaded.config, file });
}
