import type { FixDoneResponse } from "../../daemon/api/responses.ts";
import { UsageError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import { isUuid } from "../../lib/uuid.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";

/** All zeros are what stands where an id was to be put in. */
// A daemon of before answers without `released`.
const outcomeText = (id: string, { released }: FixDoneResponse): string =>
  released === false
    ? `Agent Hook fix session ${id} is over already, or is not known.`
    : `Completed Agent Hook fix session ${id}.`;

export const agentHookFixDone = define({
  meta: {
    name: "fix-done",
    description: "End the fix session that a reminder opened (called by coding agents).",
  },
  args: {
    session: { type: "positional", description: "Id of the fix session, as the reminder names it" },
    "roborev-server": {
      type: "string",
      valueHint: "address",
      description: "Daemon that sent the reminder, as unix:///path; it is not started",
    },
  },
  details: `While it lasts no other session is reminded in the same working tree, and its own session is asked to finish
    when it ends a turn, three times at most. It ends by itself once its reviews are closed, at the turn after that
    third time, or 12 hours after the reminder. An id that is over or unknown is fine.`,
  examples: ["roborev agent-hook fix-done 2f1c9f3e-6a2b-4c56-9d0e-3b7a5a1e8c44"],
  async run(context) {
    const { session, "roborev-server": server = context.flags.server } = context.args;
    if (!isUuid(session)) {
      throw new UsageError(`parse fix session ID: "${singleLine(session).slice(0, 64)}" is not a UUID`);
    }
    const client = await connect({ ...context, flags: { ...context.flags, server } });
    const answer = await client.fixDone({ fix_session_id: session });
    if (context.flags.json) context.out.json(answer);
    else context.out.print(outcomeText(session.toLowerCase(), answer));
    return 0;
  },
});
