import { UsageError } from "../../lib/errors.ts";
import { typed } from "../arguments.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { sessionNamed } from "../hook-status/session-name.ts";

export const agentHookReset = define({
  meta: { name: "reset", description: "Forget the counters and reminders of one session, or of all." },
  args: {
    session: {
      type: "positional",
      required: false,
      description: "Its id, or as agent-hook status shows it",
    },
    all: { type: "boolean", description: "Forget every session" },
  },
  examples: ["roborev agent-hook reset 8f14e45f", "roborev agent-hook reset --all"],
  async run(context) {
    const { session, all } = context.args;
    if (!all && !session) throw new UsageError("reset requires a session id or --all");
    const client = await connect(context);
    const request = all ? { all: true } : { session_id: await sessionNamed(session as string, client) };
    const answer = await client.resetHookSessions(request);
    const { flags, out } = context;
    if (flags.json) out.json(answer);
    else
      out.print(
        `Nothing is remembered any more of ${all ? "any session" : `session ${typed(session as string)}`}.`,
      );
    return 0;
  },
});
