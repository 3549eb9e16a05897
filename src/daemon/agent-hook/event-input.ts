import type { HookSettings } from "../../config/hook.ts";
import type { Harness } from "../../harness/harness.ts";
import type { Place } from "../../reminder/facts.ts";
import type { ReminderInput } from "../../reminder/input.ts";
import type { HookEventBody } from "../api/hook-event.ts";

const shellEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;
export type PolicyEvent = ReminderInput["event"];

/** The event as the policy knows it; undefined for everything that it does not look at. */
export function policyEvent(event: HookEventBody): PolicyEvent | undefined {
  if (event.hook_event_name === "Stop" || event.hook_event_name === "UserPromptSubmit")
    return event.hook_event_name;
  const shell = shellEvents.find((name) => name === event.hook_event_name);
  if (shell === undefined || (event.tool_name !== undefined && event.tool_name !== "Bash")) return undefined;
  return shell === "PreToolUse" && event.commit === undefined ? undefined : shell;
}

/** Whether the reviews of the place can matter to this event. */
export function wantsReviews(event: PolicyEvent, body: HookEventBody, harness: Harness): boolean {
  const silenced = body.stop_hook_active === true && harness.turns.activeFlag === "silences";
  return event !== "PreToolUse" && body.agent_id === undefined && !silenced;
}

/** Everything that the policy is told of an event. */
export function reminderInput(
  event: PolicyEvent,
  body: HookEventBody,
  harness: Harness,
  settings: HookSettings,
  known: { place: Place | undefined; isElsewhere: boolean; now: Date; newId: string },
): Omit<ReminderInput, "ask"> {
  return {
    event,
    agent: harness.name,
    sessionId: body.session_id,
    ...known,
    ...(body.commit === undefined
      ? {}
      : {
          commit: {
            verb: body.commit.verb,
            background: body.background === true,
            ...(body.tool_use_id === undefined ? {} : { toolUseId: body.tool_use_id }),
          },
        }),
    thresholds: {
      turn: settings.turnThreshold,
      commits: settings.commitThreshold,
      failedReviews: settings.failedReviewThreshold,
    },
    instruction: settings.instruction,
    ...(body.channel === undefined ? {} : { channel: body.channel }),
    optedOut: harness.optIn === "cursor_followup" && !settings.cursorFollowup,
    turns: harness.turns,
    endsTurn: body.ends_turn === true,
    wakeUp: body.wake_up === true,
    ...(body.cwd === undefined ? {} : { cwd: body.cwd }),
    ...(body.turn_id === undefined ? {} : { turnId: body.turn_id }),
    ...(body.stop_hook_active === undefined ? {} : { stopHookActive: body.stop_hook_active }),
    fromSubagent: body.agent_id !== undefined,
  };
}
