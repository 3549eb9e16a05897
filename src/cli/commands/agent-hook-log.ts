import { typed, wholeNumber } from "../arguments.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { deliveryLines } from "../hook-status/delivery-lines.ts";
import { sessionNamed } from "../hook-status/session-name.ts";
import { stagePaint } from "../hook-status/status-text.ts";

export const agentHookLog = define({
  meta: {
    name: "log",
    description: "List the reminders that were delivered, newest first, and what became of them.",
  },
  args: {
    session: { type: "string", valueHint: "id", description: "Only of this session, by its id or as shown" },
    limit: { type: "string", default: "50", valueHint: "n", description: "At most this many, 0 for all" },
  },
  details:
    "Stages: decided (written down), answered (handed to the agent's hook), continued (the agent went on in the same " +
    "turn after its Stop was blocked), acted (one of the reviews was shown, commented or closed, or the fix session " +
    "ended, from that working tree). Only the last two confirm that the reminder arrived.",
  examples: ["roborev agent-hook log", "roborev agent-hook log --session 8f14e45f --json"],
  async run(context) {
    const { session, limit } = context.args;
    const most = wholeNumber(limit, "--limit", { min: 0, max: 10_000 });
    const client = await connect(context);
    const { deliveries, has_more } = await client.hookDeliveries({
      limit: most,
      ...(session === undefined ? {} : { session_id: await sessionNamed(session, client) }),
    });
    const { out } = context;
    if (context.flags.json) {
      out.json(deliveries);
      return 0;
    }
    if (deliveries.length > 0)
      out.print(deliveryLines(deliveries, context.now(), { paint: stagePaint(out) }).join("\n"));
    else
      out.note(
        session === undefined
          ? "No reminder has been delivered yet."
          : `No reminder has been delivered to session ${typed(session)}.`,
      );
    if (has_more) {
      const which = session === undefined ? "" : ` --session ${typed(session)}`;
      out.note(`There are more. See them with: roborev agent-hook log${which} --limit ${most * 2}`);
    }
    return 0;
  },
});
